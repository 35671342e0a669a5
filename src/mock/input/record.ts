/** Returns whether a value is a JSON object: neither `null` nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the names in a table, typed, in its order. */
export function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]
}

/** Creates a table with the names of another one. */
export function mapTable<Table extends object, Value>(
  table: Table,
  map: (name: keyof Table & string) => Value,
): { readonly [Name in keyof Table]: Value } {
  const made = Object.fromEntries(namesOf(table).map((name) => [name, map(name)]))
  return made as { readonly [Name in keyof Table]: Value }
}

/** Returns the properties that aren't `undefined`, to be spread over others. */
export function definedOf<Table extends object>(table: Table): Defined<Table> {
  const defined = Object.entries(table).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as Defined<Table>
}

type Defined<Table> = { readonly [Name in keyof Table]?: Exclude<Table[Name], undefined> }
/** Groups items by key, in the order of the first item of each key. */
export function grouped<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
