import { petSchema } from '../../contract/pet.ts'
import { definedOf } from '../../input/record.ts'
import { type Read, Refusal } from '../../input/schema.ts'
import { type SeedPart, seedSettings } from '../beginning.ts'
import { type ApiKey, Keys, keyBytes, keySettings } from '../keys.ts'
import { Holding } from '../memory/held-bytes.ts'
import type { Bounds } from '../memory/memory.ts'
import { PetRoom } from '../pets/pet-room.ts'
import { SeedPets } from '../pets/seed-pets.ts'
import { manyKeys } from '../redactor/index-in-turns.ts'
import { Secrets } from '../redactor/secrets.ts'
import type { Intake } from './intake.ts'
import { LongestName } from './longest-name.ts'

/** Reads a seed, which needs no beginning. */
interface SeedIntake extends Intake<SeedPart> {
  /** An index of its keys, if they are many. */
  readonly index: readonly Secrets[]
  end(beside: Readonly<Record<string, unknown>>): SeedPart
}

/** Reads the seed of a snapshot, whose keys need not be those in force. */
export function savedSeedIntake(bounds: Bounds): Intake<SeedPart> {
  const intake = seedIntake(bounds, () => undefined)
  return {
    ...intake,
    end(beside, { limits }) {
      const seed = intake.end(beside)
      const names = new LongestName()
      for (const pet of seed.pets ?? []) names.add(pet)
      names.expect(limits, 'pets')
      return seed
    },
  }
}

/**
 * Reads a seed that is given pet by pet and key by key; its pets are put in order meanwhile.
 *
 * @param newIndex Makes what hides its keys.
 */
export function seedIntake(bounds: Bounds, newIndex = newSecrets): SeedIntake {
  const { memory } = bounds
  let pets: PetsTaken | undefined
  let keys: KeysTaken | undefined
  let latest: PetsTaken | KeysTaken | undefined
  return {
    get index() {
      return keys?.index ?? []
    },
    open(list) {
      if (list === 'pets') latest = pets = new PetsTaken(bounds)
      else latest = keys = new KeysTaken(bounds, newIndex())
    },
    add(item) {
      latest?.add(item)
    },
    end(beside) {
      const rest = seedSettings.read(beside)
      if (pets !== undefined) memory.seeds.put(pets.list, pets.inOrder)
      return { ...rest, ...definedOf({ pets: pets?.list, keys: keys?.list }) }
    },
  }
}

/** Restores the keys of a sandbox one by one. */
export function keysIntake(bounds: Bounds): Intake<Keys> {
  let taken = new KeysTaken(bounds, newSecrets())
  return {
    open() {
      taken = new KeysTaken(bounds, newSecrets())
    },
    add: (item) => taken.add(item),
    end(_, beginning) {
      const keys = new Keys(taken.list, beginning)
      keys.hideBy(taken.index)
      return keys
    },
  }
}

function newSecrets(): Secrets | undefined {
  return new Secrets([])
}

/** The pets of a seed, as far as they are read. */
class PetsTaken {
  readonly list: Read<typeof petSchema>[] = []
  readonly inOrder = new SeedPets()
  readonly #room: PetRoom

  constructor(bounds: Bounds) {
    this.#room = new PetRoom(bounds)
  }

  /** @throws {@link Refusal} with the place, {@link InputError} when there is no room for it. */
  add(item: unknown): void {
    const pet = petSchema.read(item)
    if (this.inOrder.has(pet.id)) {
      throw sameAs(
        this.list.findIndex(({ id }) => id === pet.id),
        'id',
      )
    }
    this.#room.take(pet)
    this.inOrder.add(pet)
    this.list.push(pet)
  }
}

/** The keys of a seed, as far as they are read. */
class KeysTaken {
  readonly list: ApiKey[] = []
  readonly #texts = new Set<string>()
  readonly #holding: Holding
  readonly #secrets: Secrets | undefined

  /** @param secrets What hides them, made while they are read, since that takes long for many. */
  constructor({ memory }: Bounds, secrets: Secrets | undefined) {
    this.#holding = new Holding(memory.held)
    this.#secrets = secrets
  }

  /** An index of them, if they are many. */
  get index(): readonly Secrets[] {
    return this.#secrets === undefined || this.list.length <= manyKeys ? [] : [this.#secrets]
  }

  /** @throws {@link Refusal} with the place, {@link FullError} when there is no room for it. */
  add(item: unknown): void {
    const read = keySettings.read(item)
    if (this.#texts.has(read.key)) {
      throw sameAs(
        this.list.findIndex(({ key }) => key === read.key),
        'key',
      )
    }
    this.#holding.take(keyBytes)
    this.#texts.add(read.key)
    this.#secrets?.add(read.key)
    this.list.push(read)
  }
}

function sameAs(earlier: number, name: string): Refusal {
  return new Refusal(`item ${earlier} has the same; use another`, [name])
}
