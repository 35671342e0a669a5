import { type GivenOf, type ObjectSchema, object, type Properties } from '../../input/object.ts'

/** Picks the limits of one table out of those of all tables. */
export function limitsIn<Limits extends Properties>(
  { properties }: ObjectSchema<Limits>,
  all: Readonly<Record<string, unknown>>,
): GivenOf<Limits> {
  const table = object(properties, { unknown: 'ignore' })
  return table.write(table.read(all))
}
