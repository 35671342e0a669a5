import { type GapSettings, gapSettings, withChoices } from '../contract/gap-settings.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { list } from '../input/collections.ts'
import { type JsonSchema, refined, type Schema } from '../input/schema.ts'
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
import { Pets, savedPets } from './pets/pets.ts'
import { Quotas, savedQuotas } from './quotas.ts'

/** A part of what a sandbox remembers. */
interface Part<Stored> {
  /** Makes the part as a sandbox begins with it. */
  readonly fresh: (beginning: Beginning) => Stored
  readonly describe: () => JsonSchema
  /** What a snapshot without the part is: broken, or one in which it starts fresh. */
  readonly absence: 'broken' | 'fresh'
  /** Writes the part; `undefined` if there is nothing to write. */
  readonly save: (stored: Stored) => unknown
  /** @throws {@link Refusal} with the place. */
  readonly restore: (saved: unknown, beginning: Beginning) => Stored
}

function part<Stored, Given, Saved>(row: {
  readonly absence?: 'fresh'
  readonly fresh: (beginning: Beginning) => Stored
  readonly schema: Schema<Given, Saved>
  readonly save: (stored: Stored) => Saved | undefined
  readonly restore: (saved: Saved, beginning: Beginning) => Stored
}): Part<Stored> {
  const { absence = 'broken', fresh, schema, save, restore } = row
  return {
    absence,
    fresh,
    describe: schema.describe,
    save(stored) {
      const saved = save(stored)
      return saved === undefined ? undefined : schema.write(saved)
    },
    restore: (saved, beginning) => restore(schema.read(saved), beginning),
  }
}

function newJournal({ journalSize, redactor }: Beginning): Journal {
  return new Journal(journalSize, (text, token) => redactor.hide(text, token))
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
    absence: 'fresh',
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
    fresh: () => new Quotas(),
    schema: savedQuotas,
    save: (quotas) => quotas.save(),
    restore: Quotas.restore,
  }),
  faults: part({
    fresh: (beginning) => new Faults(beginning.randomSeed),
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
    fresh: newJournal,
    schema: savedJournal,
    save: (journal) => journal.save(),
    restore(saved, beginning) {
      const journal = newJournal(beginning)
      journal.restore(saved)
      return journal
    },
  }),
} as const

/** What a sandbox remembers, by part. */
export type Stored = {
  readonly [Name in keyof typeof rows]: ReturnType<(typeof rows)[Name]['fresh']>
}

export type PartName = keyof Stored

/** The parts of what a sandbox remembers. */
export const parts: { readonly [Name in PartName]: Part<Stored[Name]> } = rows
