/** A part of a text that must not be shown. */
export interface Range {
  readonly start: number
  readonly end: number
  /** What is shown in its place. */
  readonly shown: string
}
