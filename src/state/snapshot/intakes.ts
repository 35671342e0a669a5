import { type Int64, int64 } from '../../contract/int64.ts'
import { petSchema } from '../../contract/pet.ts'
import type { Read } from '../../input/schema.ts'
import { Faults, faultBytes, savedBesideFaults, savedFault } from '../faults.ts'
import { savedBesideEntries, savedEntry } from '../journal/journal-entry.ts'
import { LatestEntries } from '../journal/reading/latest-entries.ts'
import { Holding } from '../memory/held-bytes.ts'
import type { Bounds } from '../memory/memory.ts'
import { restoreJournal, type Stored } from '../parts.ts'
import { Pets } from '../pets/pets.ts'
import { savedPets } from '../pets/saved-pets.ts'
import { Quotas, savedQuotas, savedUsage, Usage, usageBytes } from '../quotas.ts'
import type { Intake, IntakeRow } from './intake.ts'
import { LongestName } from './longest-name.ts'
import { keysIntake, savedSeedIntake } from './seed-intake.ts'

function petsIntake(bounds: Bounds): Intake<Pets> {
  let pets = new Pets([], 0, bounds)
  let categories = new Set<Int64>()
  let latest = ''
  let names = new LongestName()
  const begun: Record<string, readonly unknown[]> = {}
  return {
    open(list) {
      latest = list
      begun[list] = []
      if (list !== 'list') {
        categories = new Set()
        return
      }
      pets = new Pets([], 0, bounds)
      names = new LongestName()
    },
    add(item) {
      if (latest !== 'list') {
        categories.add(int64.read(item))
        return
      }
      const pet = petSchema.read(item)
      pets.take(pet)
      names.add(pet)
    },
    end(beside, beginning) {
      names.expect(beginning.limits, 'list')
      // Refuses it without one of them.
      const { list: _, ...saved } = savedPets.read({ ...beside, ...begun })
      pets.resume({ ...saved, categories }, beginning)
      return pets
    },
  }
}

function faultsIntake({ memory }: Bounds): Intake<Faults> {
  let list: Read<typeof savedFault>[] = []
  return {
    open() {
      list = []
    },
    add(item) {
      new Holding(memory.held).expectRoom((list.length + 1) * faultBytes)
      list.push(savedFault.read(item))
    },
    end: (beside, beginning) =>
      Faults.restore({ ...savedBesideFaults.read(beside), list }, beginning),
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
  let strangers: Read<typeof savedUsage>[] = []
  let ofKeys = new Map<string, Usage>()
  let isOfKeys = false
  return {
    open(list) {
      isOfKeys = list === 'keys'
      if (isOfKeys) ofKeys = new Map()
      else strangers = []
      lists[list] = isOfKeys ? [] : strangers
    },
    add(item) {
      const { caller, ...saved } = savedUsage.read(item)
      if (isOfKeys) {
        // At once, since that takes long for many.
        ofKeys.set(caller, Usage.restore(saved))
        new Holding(memory.held).expectRoom(ofKeys.size * usageBytes)
        return
      }
      strangers.push({ caller, ...saved })
      // Now and then, so that it costs next to nothing.
      if (strangers.length >= 2 * limits.strangers) strangers.splice(0, limits.strangers)
    },
    // Refuses it without one of them.
    end: (beside, beginning) =>
      Quotas.restore(savedQuotas.read({ ...beside, ...lists }), beginning, ofKeys),
  }
}

const rows: { readonly [Name in keyof Stored]?: IntakeRow<Stored[Name]> } = {
  seed: { lists: ['pets', 'keys'], begin: savedSeedIntake },
  keys: { lists: 'itself', begin: keysIntake },
  faults: { lists: ['list'], begin: faultsIntake },
  pets: { lists: ['list', 'categories'], begin: petsIntake },
  journal: { lists: ['list'], begin: journalIntake },
  quotas: { lists: ['keys', 'strangers'], begin: quotasIntake },
}

/** How those parts are restored that have lists which may be too long to be held whole, by part. */
export const intakes: ReadonlyMap<unknown, IntakeRow<unknown>> = new Map(Object.entries(rows))
