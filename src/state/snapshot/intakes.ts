import { petSchema } from '../../contract/pet.ts'
import type { Read } from '../../input/schema.ts'
import type { Beginning } from '../beginning.ts'
import { savedBesideEntries, savedEntry } from '../journal/journal-entry.ts'
import { LatestEntries } from '../journal/reading/latest-entries.ts'
import { Holding } from '../memory/held-bytes.ts'
import type { Bounds } from '../memory/memory.ts'
import { restoreJournal, type Stored } from '../parts.ts'
import { Pets } from '../pets/pets.ts'
import { savedBesidePets } from '../pets/saved-pets.ts'
import { Quotas, savedQuotas, savedUsage, usageBytes } from '../quotas.ts'

/** Restores a part whose lists are given item by item. */
export interface Intake<Part> {
  /** Begins one of the lists; where it is given twice, the last one counts. */
  open(list: string): void
  /**
   * Takes an item of the list that was begun last.
   *
   * @throws {@link Refusal} with the place.
   */
  add(item: unknown): void
  /**
   * Gives the part.
   *
   * @param beside What was saved of it besides these lists.
   * @throws {@link Refusal} with the place.
   */
  end(beside: Readonly<Record<string, unknown>>, beginning: Beginning): Part
}

/** How a part is restored some of whose lists may be too long to be held whole. */
interface IntakeRow<Part> {
  readonly lists: readonly string[]
  readonly begin: (bounds: Bounds) => Intake<Part>
}

function petsIntake(bounds: Bounds): Intake<Pets> {
  let pets = new Pets([], 0, bounds)
  return {
    open() {
      pets = new Pets([], 0, bounds)
    },
    add: (item) => pets.take(petSchema.read(item)),
    end(beside, beginning) {
      pets.resume(savedBesidePets.read(beside), beginning)
      return pets
    },
  }
}

function journalIntake({ memory }: Bounds): Intake<Stored['journal']> {
  let latest = new LatestEntries(memory.exchanges.most)
  return {
    open() {
      latest = new LatestEntries(memory.exchanges.most)
    },
    add: (item) => latest.add(savedEntry.read(item)),
    end: (beside, beginning) =>
      restoreJournal({ ...savedBesideEntries.read(beside), list: latest.list() }, beginning),
  }
}

function quotasIntake({ limits, memory }: Bounds): Intake<Quotas> {
  const lists: Record<string, Read<typeof savedUsage>[]> = {}
  let latest: Read<typeof savedUsage>[] = []
  let isOfKeys = false
  return {
    open(list) {
      isOfKeys = list === 'keys'
      latest = []
      lists[list] = latest
    },
    add(item) {
      latest.push(savedUsage.read(item))
      if (isOfKeys) {
        new Holding(memory.held).expectRoom(latest.length * usageBytes)
      } else if (latest.length >= 2 * limits.strangers) {
        // Now and then, so that it costs next to nothing.
        latest.splice(0, limits.strangers)
      }
    },
    end: (beside, beginning) =>
      Quotas.restore(savedQuotas.read({ ...beside, ...lists }), beginning),
  }
}

const rows: { readonly [Name in keyof Stored]?: IntakeRow<Stored[Name]> } = {
  pets: { lists: ['list'], begin: petsIntake },
  journal: { lists: ['list'], begin: journalIntake },
  quotas: { lists: ['keys', 'strangers'], begin: quotasIntake },
}

/** How those parts are restored that have lists which may be too long to be held whole, by part. */
export const intakes: ReadonlyMap<unknown, IntakeRow<unknown>> = new Map(Object.entries(rows))
