/** Tools for a ready-made client: the API, a key, `fetch`, and the time of the sandbox. */
export interface ClientTools {
  readonly apiUrl: string
  readonly key: string
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
  /** Returns the time of the sandbox, in Unix milliseconds. */
  readonly now: () => number
  readonly isRunning: () => boolean
}
