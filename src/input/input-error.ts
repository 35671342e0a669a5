/** Input that can't be used, or an action that can't be done now; over HTTP a 400. */
export class InputError extends TypeError {
  override readonly name: string = 'InputError'
  /** Where in the input, such as `['pets', 3, 'categoryId']`; empty for the whole. */
  readonly path: readonly (string | number)[]

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message)
    this.path = path
  }
}

/** A name or id that doesn't exist; over HTTP a 404. */
export class MissingError extends InputError {
  override readonly name = 'MissingError'
}

/** Something for which there is no room: a limit is reached; over HTTP a 400 of a control, a 503 of the API. */
export class FullError extends InputError {
  override readonly name = 'FullError'
}
