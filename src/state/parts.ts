import { type GapSettings, gapSettings, withChoices } from '../contract/gap-settings.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { list } from '../input/collections.ts'
import { type JsonSchema, type Read, refined, type Schema } from '../input/schema.ts'
import {
  type Beginning,
  type RateLimitMode,
  rateLimitMode,
  type SeedPart,
  seedSettings,
} from './beginning.ts'
import { Clock } from './clock/clock.ts'
import { savedClock } from './clock/clock-settings.ts'
import { Faults, savedFaults } from './faults.ts'
import { Journal } from './journal/journal.ts'
import { savedJournal } from './journal/journal-entry.ts'
import { Keys, keySettings } from './keys.ts'
import { Pets } from './pets/pets.ts'
import { savedPets } from './pets/saved-pets.ts'
import { Quotas, savedQuotas } from './quotas.ts'
import type { HideKeys } from './redact.ts'

/** A part of what a sandbox remembers. */
interface Part<Stored> {
  /** Makes the part as a sandbox begins with it. */
  readonly fresh: (beginning: Beginning) => Stored
  readonly describe: () => JsonSchema
  /** What a snapshot without the part is: broken, or older than the part, which then starts fresh. */
  readonly absence: 'broken' | 'older'
  /**
   * Has the part written, as a whole or in pieces, as it is now; `undefined` if there is nothing to write.
   *
   * @param hide Abbreviates the keys that there are now.
   */
  readonly save: <Result>(
    stored: Stored,
    hide: HideKeys,
    write: <Saved>(schema: Schema<unknown, Saved>, saved: Saved) => Result,
  ) => Result | undefined
  /** @throws {@link Refusal} with the place. */
  readonly restore: (saved: unknown, beginning: Beginning) => Stored
}

function part<Stored, Given, Saved>(row: {
  readonly absence?: 'older'
  readonly fresh: (beginning: Beginning) => Stored
  readonly schema: Schema<Given, Saved>
  /** Gives what later changes leave as it is. */
  readonly save: (stored: Stored, hide: HideKeys) => Saved | undefined
  readonly restore: (saved: Saved, beginning: Beginning) => Stored
}): Part<Stored> {
  const { absence = 'broken', fresh, schema, save, restore } = row
  return {
    absence,
    fresh,
    describe: schema.describe,
    save(stored, hide, write) {
      const saved = save(stored, hide)
      return saved === undefined ? undefined : write(schema, saved)
    },
    restore: (saved, beginning) => restore(schema.read(saved), beginning),
  }
}

/** Makes a journal of what was saved of one. */
export function restoreJournal(
  saved: Read<typeof savedJournal>,
  { journalSize, hide }: Beginning,
): Journal {
  const journal = new Journal(journalSize, hide)
  journal.restore(saved)
  return journal
}

/** Each row makes, saves and restores one part of what a sandbox remembers. */
const rows = {
  rateLimit: part<RateLimitMode, RateLimitMode, RateLimitMode>({
    fresh: ({ rateLimit }) => rateLimit,
    schema: rateLimitMode,
    save: (mode) => mode,
    restore: (mode) => mode,
  }),
  clock: part({
    fresh: ({ clock }) => new Clock(clock),
    schema: savedClock,
    save: (clock) => clock.save(),
    restore: Clock.restore,
  }),
  gaps: part<GapChoices, GapSettings, GapChoices>({
    fresh: ({ gaps }) => gaps,
    schema: refined(
      gapSettings,
      (read) => withChoices(read),
      (chosen) => chosen,
    ),
    save: (gaps) => gaps,
    restore: (gaps) => gaps,
  }),
  /** The seed of a `reseed()`, which replaces the one that the sandbox began with. */
  seed: part<SeedPart | undefined, unknown, SeedPart>({
    absence: 'older',
    fresh: () => undefined,
    schema: seedSettings,
    save: (seed) => seed,
    restore: (seed) => seed,
  }),
  keys: part({
    fresh: (beginning) => new Keys(beginning.seed.keys, beginning),
    schema: list(keySettings),
    save: (keys) => keys.all(),
    restore: (keys, beginning) => new Keys(keys, beginning),
  }),
  quotas: part({
    fresh: (beginning) => new Quotas(beginning),
    schema: savedQuotas,
    save: (quotas) => quotas.save(),
    restore: Quotas.restore,
  }),
  faults: part({
    fresh: (beginning) => new Faults(beginning.randomSeed, beginning),
    schema: savedFaults,
    save: (faults) => faults.save(),
    restore: Faults.restore,
  }),
  pets: part({
    fresh: (beginning) => new Pets(beginning.seed.pets, beginning.randomSeed, beginning),
    schema: savedPets,
    save: (pets) => pets.save(),
    restore: Pets.restore,
  }),
  journal: part({
    fresh: ({ journalSize, hide }) => new Journal(journalSize, hide),
    schema: savedJournal,
    save: (journal, hide) => journal.save(hide),
    restore: restoreJournal,
  }),
} as const

/** What a sandbox remembers, by part. */
export type Stored = {
  readonly [Name in keyof typeof rows]: ReturnType<(typeof rows)[Name]['fresh']>
}

export type PartName = keyof Stored

/** The parts of what a sandbox remembers. */
export const parts: { readonly [Name in PartName]: Part<Stored[Name]> } = rows
