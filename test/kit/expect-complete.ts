/** What a table of tests has, and what it is to have. */
export interface Coverage {
  /** What is there, by name; a name may come twice. */
  readonly found: readonly (string | number)[]
  /** What has to be there. */
  readonly needed: readonly (string | number)[]
  /** What a name stands for, such as `a row for a choice of banAfter`. */
  readonly what: string
  /** The file or folder in which to add or remove it. */
  readonly where: string
}

/**
 * Checks that a table of tests has all that it needs, and nothing that is no more.
 *
 * @throws Error that names what is missing or left over, and where to add or remove it.
 */
export function expectComplete({ found, needed, what, where }: Coverage): void {
  const missing = needed.filter((name) => !found.includes(name))
  const surplus = found.filter((name) => !needed.includes(name))
  const wrong = [
    ...missing.map((name) => `${what} is missing: ${name}; add it to ${where}`),
    ...surplus.map((name) => `${what} has no use: ${name}; remove it from ${where}`),
  ]
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}
