import type { ObjectSchema, Properties, ReadOf } from '../../input/object.ts'
import { readInput } from '../../input/schema.ts'

/**
 * Reads options or words.
 *
 * @param nameOf How each is named where it was set.
 * @throws {@link InputError} with that name.
 */
export function readEach<All extends Properties>(
  schema: ObjectSchema<All>,
  values: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string = String,
): ReadOf<All> {
  for (const [name, property] of Object.entries<Properties[string]>(schema.properties)) {
    if (name in values) readInput(property, values[name], nameOf(name))
  }
  return schema.read(values)
}
