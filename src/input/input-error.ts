/** Which kinds of refusal there are, for programs; messages are for people, and may change. */
export const refusalReasons = {
  missing: 'a required value is missing',
  'wrong-value': 'a value of another type, or none of those that will do',
  'unknown-property': 'a property or parameter that does not exist',
  impossible: 'what cannot be done as things stand',
  'not-found': 'a name, id or path that does not exist',
  full: 'a limit is reached',
  'not-json': 'a body that is not valid JSON',
  'too-large': 'a body that is too large',
  token: 'the control token is missing or wrong',
  forbidden: 'a request from a page of another site, or for another host',
  failed: 'an error of the process, whatever was sent',
} as const

/** Which kind of refusal it is. */
export type RefusalReason = keyof typeof refusalReasons

/** Input that can't be used, or an action that can't be done now; over HTTP a 400. */
export class InputError extends TypeError {
  override readonly name: string = 'InputError'
  /** Where in the input, such as `['pets', 3, 'categoryId']`; empty for the whole. */
  readonly path: readonly (string | number)[]
  readonly reason: RefusalReason

  constructor(
    message: string,
    path: readonly (string | number)[] = [],
    reason: RefusalReason = 'impossible',
  ) {
    super(message)
    this.path = path
    this.reason = reason
  }
}

/** A name or id that doesn't exist; over HTTP a 404. */
export class MissingError extends InputError {
  override readonly name = 'MissingError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'not-found')
  }
}

/** Something for which there is no room: a limit is reached; over HTTP a 400 of a control, a 503 of the API. */
export class FullError extends InputError {
  override readonly name = 'FullError'

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message, path, 'full')
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
