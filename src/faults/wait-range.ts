import type { Duration } from '../input/duration.ts'
import { Refusal, type Schema } from '../input/schema.ts'

/** A wait, or two between which it is at random, the shorter first; read as the least and the most. */
export function waitRange(
  wait: Schema<Duration, number>,
): Schema<Duration | readonly [Duration, Duration], readonly [number, number]> {
  const use = `${wait.use}, or two of them, the shorter first`
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
      const [least, most] = [wait.read(found[0]), wait.read(found[1])]
      if (found.length === 2 && least <= most) return [least, most]
      throw new Refusal(`found an array of ${found.length}; use ${use}`)
    },
    write: ([least, most]) =>
      least === most ? wait.write(least) : [wait.write(least), wait.write(most)],
  }
}
