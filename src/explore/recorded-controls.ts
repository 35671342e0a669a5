import type { StateControls } from '../control/controls/controls.ts'
import type { State } from '../state/state.ts'
import { seedWithin } from './kept-control.ts'
import { mostBytes, type StepRecord } from './step-record.ts'

/** The controls that change what a sandbox answers, by their groups; none of these is asynchronous. */
export const recordedGroups = {
  clock: ['advance', 'set', 'freeze', 'resume', 'scale', 'followSystem', 'change'],
  pets: ['create', 'change', 'delete', 'clear'],
  keys: ['issue', 'change', 'delete', 'setRemaining'],
  faults: ['add', 'remove', 'clear'],
} as const satisfies {
  readonly [Group in 'clock' | 'pets' | 'keys' | 'faults']: readonly (keyof StateControls[Group])[]
}

/** Those that are in no group. */
export const recordedAlone = [
  'setGaps',
  'setRateLimit',
  'scenario',
  'reset',
  'reseed',
  'restore',
] as const satisfies readonly (keyof StateControls)[]

/** Has a record keep each control that changes something. */
export function recordControls(
  controls: StateControls,
  record: StepRecord,
  state: () => State,
): void {
  const now = (): number => controls.clock.now()
  for (const [name, members] of Object.entries(recordedGroups)) {
    recordMembers(Reflect.get(controls, name), members, `${name}.`, record, now)
  }
  recordMembers(controls, recordedAlone, '', record, now)
  const { resume, sow } = controls
  Object.assign(controls, {
    resume(intake: Parameters<typeof resume>[0]): void {
      resume(intake)
      // What comes in pieces is gone once it is read.
      record.addRestored(state())
    },
    sow(seed: Parameters<typeof sow>[0]): void {
      record.during({ at: now(), name: 'reseed', given: [seedWithin(seed, mostBytes)] }, () =>
        sow(seed),
      )
    },
  })
}

function recordMembers(
  target: object,
  members: readonly string[],
  prefix: string,
  record: StepRecord,
  now: () => number,
): void {
  for (const member of members) {
    const plain: unknown = Reflect.get(target, member)
    if (typeof plain !== 'function') throw new TypeError(`Cannot record ${prefix}${member}`)
    const recorded = (...given: readonly unknown[]): unknown =>
      record.during({ at: now(), name: prefix + member, given }, () =>
        Reflect.apply(plain, target, given),
      )
    Reflect.set(target, member, recorded)
  }
}
