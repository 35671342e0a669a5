import { isRecord } from './record.ts'
import { readPart, refuseValue, type Schema } from './schema.ts'

/** An array. */
export function list<Given, Read>(item: Schema<Given, Read>): Schema<readonly Given[], Read[]> {
  const use = `an array, each item ${item.use}`
  return {
    use,
    describe: () => ({ type: 'array', items: item.describe() }),
    read: (found) =>
      Array.isArray(found)
        ? Array.from(found, (one: unknown, index) => readPart(index, () => item.read(one)))
        : refuseValue(found, use),
    write: (read) => read.map((one) => item.write(one)),
  }
}

/** One of something, or an array of them. */
export function oneOrMany<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Given | readonly Given[], Read | Read[]> {
  const many = list(item)
  return {
    use: `${item.use}, or an array of them`,
    describe: () => ({ anyOf: [item.describe(), many.describe()] }),
    read: (found) => (Array.isArray(found) ? many.read(found) : item.read(found)),
    write: (read) => (Array.isArray(read) ? many.write(read) : item.write(read)),
  }
}

/** An object whose properties have names of the caller's choice. */
export function dictionary<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Readonly<Record<string, Given>>, Readonly<Record<string, Read>>> {
  const use = `an object, each property ${item.use}`
  const map = <From, To>(record: Readonly<Record<string, From>>, change: (one: From) => To) =>
    Object.fromEntries(
      Object.entries(record).map(([name, one]) => [name, readPart(name, () => change(one))]),
    )
  return {
    use,
    describe: () => ({ type: 'object', additionalProperties: item.describe() }),
    read: (found) => (isRecord(found) ? map(found, item.read) : refuseValue(found, use)),
    write: (read) => map(read, item.write),
  }
}
