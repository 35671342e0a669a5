/** A value from outside that can't be used, or an action that can't be done now; over HTTP a 400. */
export class InputError extends Error {
  override readonly name: string = 'InputError'
  /** Where the value stands in the input that it came in, such as `['pets', 3, 'categoryId']`. */
  readonly path: readonly (string | number)[]

  constructor(message: string, path: readonly (string | number)[] = []) {
    super(message)
    this.path = path
  }
}

/** Something that is asked for by a name or id that nothing has; over HTTP a 404. */
export class MissingError extends InputError {
  override readonly name = 'MissingError'
}
