/** Which kinds of refusal there are, for programs; messages are for people, and may change. */
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

/** Which kind of refusal it is. */
export type RejectionReason = keyof typeof rejectionReasons

/** Input that can't be used, or an action that can't be done now; over HTTP a 400. */
export class InputError extends TypeError {
  override readonly name: string = 'InputError'
  /** Where in the input, such as `['pets', 3, 'categoryId']`; empty for the whole. */
  readonly path: readonly (string | number)[]
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

/** A name or id that doesn't exist; over HTTP a 404. */
export class NotFoundError extends InputError {
  override readonly name = 'NotFoundError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'not-found')
  }
}

/** Something for which there is no room: a limit is reached; over HTTP a 400 of a control, a 503 of the API. */
export class FullError extends InputError {
  override readonly name = 'FullError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'limit-reached')
  }
}

/** Something that has to be chosen first, since several choices fit. */
export class ChoiceError extends InputError {
  readonly choices: readonly string[]

  constructor(message: string, choices: readonly string[]) {
    super(message)
    this.choices = choices
  }
}

/** Shows an outside value in a message: on one line, and cut to 60 characters. */
export function show(value: unknown): string {
  const text = toText(value)
  // By characters, so that no surrogate pair is cut in half.
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

/** Writes a whole number with commas; by hand, since the first use of a locale takes milliseconds. */
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

/** What XML 1.0 can't hold, not even escaped, and more that nobody sees. */
const forbidden = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

/** Escapes a text for XML and HTML, in elements and in quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
