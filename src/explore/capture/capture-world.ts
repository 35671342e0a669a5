import { withChoices } from '../../contract/gap-settings.ts'
import { defaultGaps, type GapChoices } from '../../contract/gaps.ts'
import { changingControls } from '../../control/access.ts'
import type { ReadCapture } from '../../control/reports/capture-file.ts'
import { InputError } from '../../input/input-error.ts'
import { definedOf } from '../../input/record.ts'
import { show } from '../../input/show.ts'
import type { Beginning } from '../../state/beginning.ts'
import { defaultLimits, SharedMemory } from '../../state/limits.ts'
import { Redactor } from '../../state/redactor.ts'
import type { Step } from '../step-record.ts'
import { replayable, World } from '../world.ts'
import { visitFactsOf } from './captured-visit.ts'

/** Makes a world that begins as a capture does, if need be under other choices at some gaps. */
export function worldOf({ begin }: ReadCapture, other?: Partial<GapChoices>): World {
  return new World(replayable(beginningOf(begin)), other)
}

/**
 * Gives a step of a capture as a world takes it.
 *
 * @throws {@link InputError} for a control that no capture has.
 */
export function stepOf(step: ReadCapture['steps'][number]): Step {
  const { at } = step
  if (step.do === 'control') {
    const { name, given } = step
    if (!changingControls.some((one) => one === name)) {
      throw new InputError(
        `Cannot replay the control ${show(name)}: no such control; use one of ${changingControls.join(', ')}`,
      )
    }
    return { kind: 'control', at, name, given }
  }
  const { unreadable, ...request } = step.request
  return {
    kind: 'request',
    at,
    request: { ...request, ...definedOf({ unreadable }) },
    number: step.number,
    visit: step.visit && visitFactsOf(step.visit),
  }
}

function beginningOf({
  seed,
  limits,
  gaps,
  randomSeed = 1,
  rateLimit = 'enforced',
}: ReadCapture['begin']): Beginning {
  return {
    seed: { pets: seed?.pets ?? [], keys: seed?.keys ?? [] },
    randomSeed,
    gaps: gaps === undefined ? defaultGaps : withChoices(gaps),
    clock: { now: 0, mode: 'frozen', scale: 1 },
    rateLimit,
    journalSize: 0,
    redactor: new Redactor(),
    secrets: new Set(),
    memory: new SharedMemory(),
    limits: limits ?? defaultLimits,
  }
}
