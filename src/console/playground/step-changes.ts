import { countText } from '../../checks/reports/text.ts'
import { formatCount } from '../../mock/input/values.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { shiftText } from '../parts/time.tsx'

/** State of a sandbox after a request, as far as the changes by the next one are described. */
export interface StepState {
  readonly pets: number
  readonly now: number
  readonly faults: number
  readonly gaps: number
  readonly rateLimits: string
  readonly keys: readonly {
    readonly key: string
    readonly state: string
    readonly minute: number
    readonly day: number
  }[]
}

/** Returns the state of a sandbox, to compare it with that after another request. */
export function stepStateOf({ pets, clock, faults, status, keys }: Sandbox): StepState {
  const { gaps, rateLimits } = status()
  return {
    pets: pets.size,
    now: clock.now(),
    faults: faults.list().length,
    gaps: gaps.length,
    rateLimits,
    keys: keys.list().map(({ key, state, minute, day }) => ({
      key,
      state,
      minute: minute.limit - minute.remaining,
      day: day.limit - day.remaining,
    })),
  }
}

/** Returns what one step changed: `pet +1`, `minute 3 → 4`, `free-key banned`. */
export function changesOfStep(before: StepState, after: StepState): readonly string[] {
  const changes: string[] = []
  const count = (what: string, was: number, is: number): void => {
    if (is === was) return
    const by = Math.abs(is - was)
    changes.push(`${what}${by === 1 ? '' : 's'} ${is > was ? '+' : '−'}${formatCount(by)}`)
  }
  count('pet', before.pets, after.pets)
  count('key', before.keys.length, after.keys.length)
  const known = new Map(before.keys.map((key) => [key.key, key]))
  const changed = after.keys.filter((is) => {
    const was = known.get(is.key)
    return was !== undefined && (was.minute !== is.minute || was.state !== is.state)
  })
  for (const { key, state, minute } of changed.slice(0, maxKeys)) {
    const was = known.get(key)
    const used = was?.minute === minute ? '' : ` minute ${was?.minute} → ${minute}`
    changes.push(`${key}${used}${was?.state === state ? '' : ` ${state}`}`)
  }
  if (changed.length > maxKeys) changes.push(`${countText(changed.length - maxKeys, 'other key')}`)
  count('fault', before.faults, after.faults)
  count('changed gap', before.gaps, after.gaps)
  if (before.rateLimits !== after.rateLimits) changes.push(`limits ${after.rateLimits}`)
  const byMs = after.now - before.now
  if (Math.abs(byMs) >= 1_000) changes.push(`clock ${shiftText(byMs)}`)
  return changes
}

/** Maximum number of keys whose changes are described. */
const maxKeys = 3
