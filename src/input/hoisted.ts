import { isRecord } from './record.ts'
import { component, type JsonSchema } from './schema.ts'

/** A document whose named schemas stand in one place. */
interface Hoisted {
  readonly document: unknown
  /** By name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/**
 * Puts references in the place of the schemas that have a name.
 *
 * @param prefix What a reference is made of before the name.
 * @throws RangeError when two different schemas have one name.
 */
export function hoisted(document: unknown, prefix = '#/components/schemas/'): Hoisted {
  const schemas = new Map<string, JsonSchema>()
  const add = (name: string, schema: JsonSchema): void => {
    const known = schemas.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new RangeError(`Cannot describe ${name}: two schemas have this name; use another`)
    }
    schemas.set(name, schema)
  }
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit)
    return isRecord(part) ? visitRecord(part) : part
  }
  const visitRecord = ({ [component]: named, ...rest }: JsonSchema): JsonSchema => {
    const own = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, visit(part)]))
    if (!isRecord(named) || !isRecord(named.schema)) return own
    const name = String(named.name)
    add(name, visitRecord(named.schema))
    // What was said of the place, such as a description, stays there.
    return { $ref: prefix + name, ...own }
  }
  const referring = visit(document)
  return { document: referring, schemas: Object.fromEntries([...schemas].sort(byName)) }
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}
