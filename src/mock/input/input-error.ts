/** Machine-readable reasons of errors; messages are for people and may change. */
export const rejectionReasons = {
  missing: 'a required value is missing',
  'invalid-value': 'a value of another type, or none of those that will do',
  'unknown-property': 'a property or parameter that does not exist',
  conflict: 'what cannot be done as things stand',
  'not-found': 'a name, id or path that does not exist',
  'limit-reached': 'a limit is reached',
  'invalid-json': 'a body that is not valid JSON',
  'too-large': 'a body that is too large',
  unauthorized: 'the control token is missing or wrong',
  forbidden: 'a request from a page of another site, or for another host',
  'internal-error': 'an error of the server, whatever was sent',
} as const

/** Machine-readable reason of an error. */
export type RejectionReason = keyof typeof rejectionReasons

/** Error for invalid input, or for an action that isn't possible now; over HTTP a 400. */
export class InputError extends TypeError {
  /** Name of the class. */
  override readonly name: string = 'InputError'
  /** Path in the input, such as `['pets', 3, 'categoryId']`; empty for the whole. */
  readonly path: readonly (string | number)[]
  /** Machine-readable reason. */
  readonly reason: RejectionReason

  constructor(
    message: string,
    path: readonly (string | number)[] = [],
    reason: RejectionReason = 'conflict',
  ) {
    super(message)
    this.path = path
    this.reason = reason
  }
}

/** Error for a name or id that doesn't exist; over HTTP a 404. */
export class NotFoundError extends InputError {
  /** Name of the class. */
  override readonly name = 'NotFoundError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'not-found')
  }
}

/** Error for a reached limit; over HTTP a 400 from a control, a 503 from the API. */
export class FullError extends InputError {
  override readonly name = 'FullError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'limit-reached')
  }
}

/** Error for ambiguous input: several values fit, and the user has to select one. */
export class ChoiceError extends InputError {
  readonly choices: readonly string[]

  constructor(message: string, choices: readonly string[]) {
    super(message)
    this.choices = choices
  }
}

/** Formats an outside value for a message: on one line, and cut to 60 characters. */
export function show(value: unknown): string {
  const text = toText(value)
  // Cuts between characters, so that surrogate pairs stay whole.
  return text.length > 60 ? `${[...text].slice(0, 57).join('')}...` : text
}

function toText(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 80 ? value.slice(0, 80) : value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Date) return `the date ${value.getTime()}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

/** Formats a whole number with commas; by hand, since the first use of a locale takes milliseconds. */
export function wholeText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML 1.0 can't contain, even escaped, and other invisible ones. */
const forbidden = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

/** Escapes a text for XML and HTML, in elements and in quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
