import type { SeedPart } from '../../state/beginning.ts'
import { eachInTurns, type Pace } from '../../state/clock/pace.ts'
import { sealInTurns } from '../../state/journal/reading/seal-in-turns.ts'
import type { ApiKey } from '../../state/keys.ts'
import { indexInTurns } from '../../state/redactor/index-in-turns.ts'
import type { Secrets } from '../../state/redactor/secrets.ts'
import type { ResetOptions, SandboxControls } from '../controls/controls.ts'

/**
 * Does what `sow()` does, the slow part first, bit by bit.
 *
 * @param index That of the keys of the seed.
 */
export async function sowInTurns(
  controls: SandboxControls,
  seed: SeedPart,
  index: readonly Secrets[],
  pace: Pace,
): Promise<void> {
  const { keys = controls.bounds().seed.keys } = seed
  const all = seed.keys === undefined ? await indexInTurns(textsOf(keys), pace) : index
  await sealBefore(keys, controls, pace)
  controls.sow(seed)
  controls.state().keys.hideBy(all)
}

/** Does what `reset()` does, the slow part first, bit by bit. */
export async function resetInTurns(
  controls: SandboxControls,
  options: ResetOptions | undefined,
  pace: Pace,
): Promise<void> {
  // Without a list, every part is reset.
  const isReset = (part: 'keys' | 'journal'): boolean => options?.only?.includes(part) ?? true
  if (!isReset('keys')) {
    controls.reset(options)
    return
  }
  for (;;) {
    const { seed } = controls.state()
    const keys = seed?.keys ?? controls.bounds().seed.keys
    const index = await indexInTurns(textsOf(keys), pace)
    if (!isReset('journal')) await sealBefore(keys, controls, pace)
    // Somebody may have put another seed in its place.
    if (controls.state().seed !== seed) continue
    controls.reset(options)
    controls.state().keys.hideBy(index)
    return
  }
}

/** Does the slow part of deleting a key after many others, bit by bit. */
export async function tidyInTurns(controls: SandboxControls, pace: Pace): Promise<void> {
  for (;;) {
    const { keys } = controls.state()
    if (!keys.isLittered(1)) return
    await keys.tidyOnce(() => tidy(controls, pace))
  }
}

async function tidy(controls: SandboxControls, pace: Pace): Promise<void> {
  const { keys, journal } = controls.state()
  keys.hideBy(await indexInTurns(textsOf(keys.all()), pace))
  await sealInTurns(journal, pace)
  // A reset may have put another journal in its place.
  const now = controls.state()
  if (now.keys === keys) keys.tidy(now.journal, 1)
}

/** Seals the journal bit by bit if too many deleted keys would be hidden after this. */
async function sealBefore(
  next: readonly ApiKey[],
  { state }: SandboxControls,
  pace: Pace,
): Promise<void> {
  const { keys, journal } = state()
  const stay = new Set<string>()
  await eachInTurns(textsOf(next), pace, (key) => stay.add(key))
  let going = 0
  await eachInTurns(textsOf(keys.all()), pace, (key) => {
    if (!stay.has(key)) going++
  })
  if (keys.isLittered(going)) await sealInTurns(journal, pace)
}

function* textsOf(keys: Iterable<ApiKey>): Generator<string> {
  for (const { key } of keys) yield key
}
