/** Narrows to an object as JSON has them: no array, no null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The names of a table, typed, in its order. */
export function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]
}

/** Makes a table with the same names of another one. */
export function mapTable<Table extends object, Value>(
  table: Table,
  map: (name: keyof Table & string) => Value,
): { readonly [Name in keyof Table]: Value } {
  const made = Object.fromEntries(namesOf(table).map((name) => [name, map(name)]))
  return made as { readonly [Name in keyof Table]: Value }
}
