import { type Duration, rangePattern } from '../input/duration.ts'
import { Refusal, readPart, refuseValue, type Schema } from '../input/schema.ts'

/**
 * A wait, or a range for a random one between two, written `1s-3s` or as an array; read as the least and the most.
 */
export function waitRange(
  wait: Schema<Duration, number>,
): Schema<Duration | readonly [Duration, Duration], readonly [number, number]> {
  const use = `${wait.use}, or a range such as 1s-3s, the shorter first`
  const readSingle = (found: unknown): number => {
    try {
      return wait.read(found)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      return refuseValue(found, use)
    }
  }
  return {
    use,
    describe: () => ({
      anyOf: [
        wait.describe(),
        {
          type: 'string',
          pattern: rangePattern.source,
          description: 'A range such as 1s-3s.',
          examples: ['1s-3s'],
        },
        {
          type: 'array',
          items: wait.describe(),
          minItems: 2,
          maxItems: 2,
          examples: [['1s', '3s']],
        },
      ],
    }),
    read(found) {
      const parts = partsOf(found)
      if (parts === undefined) {
        const ms = readSingle(found)
        return [ms, ms]
      }
      if (parts.length !== 2) return refuseValue(found, use)
      const least = readPart(0, () => wait.read(parts[0]))
      const most = readPart(1, () => wait.read(parts[1]))
      return least <= most ? [least, most] : refuseValue(found, use)
    },
    write: ([least, most]) =>
      least === most ? wait.write(least) : [wait.write(least), wait.write(most)],
  }
}

/** The two ends of a range; `undefined` for a single wait. */
function partsOf(found: unknown): readonly unknown[] | undefined {
  if (Array.isArray(found)) return found
  return typeof found === 'string' && rangePattern.test(found) ? found.split('-') : undefined
}
