import type { Duration } from '../input/duration.ts'
import { readPart, refuseValue, type Schema } from '../input/schema.ts'

/** A wait, or an array of two for a random one between them; read as the least and the most. */
export function waitRange(
  wait: Schema<Duration, number>,
): Schema<Duration | readonly [Duration, Duration], readonly [number, number]> {
  const use = `${wait.use}, or an array of two, the shorter first`
  return {
    use,
    describe: () => ({
      anyOf: [
        wait.describe(),
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
      if (!Array.isArray(found)) {
        const ms = wait.read(found)
        return [ms, ms]
      }
      if (found.length !== 2) return refuseValue(found, use)
      const least = readPart(0, () => wait.read(found[0]))
      const most = readPart(1, () => wait.read(found[1]))
      return least <= most ? [least, most] : refuseValue(found, use)
    },
    write: ([least, most]) =>
      least === most ? wait.write(least) : [wait.write(least), wait.write(most)],
  }
}
