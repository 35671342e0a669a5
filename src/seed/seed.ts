import { type Pet, parsePet } from '../contract/pet.ts'
import { InputError, isRecord, refuseUnknown, show } from '../input/input-error.ts'
import { type ApiKey, type KeySettings, parseKey } from '../state/keys.ts'

/** What a sandbox starts with; what is left out comes from the default seed. */
export interface Seed {
  readonly pets?: readonly Pet[]
  readonly keys?: readonly KeySettings[]
}

/** A seed that was read. */
export interface ParsedSeed {
  readonly pets?: readonly Pet[]
  readonly keys?: readonly ApiKey[]
}

/**
 * Reads a seed from outside.
 *
 * @throws {@link InputError} with the place, such as `pets[3]`.
 */
export function parseSeed(value: unknown): ParsedSeed {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot read the seed: found ${show(value)}; use an object with pets, keys or both`,
    )
  }
  refuseUnknown(value, ['pets', 'keys'], 'the seed')
  return {
    ...(value.pets === undefined ? {} : { pets: parsePets(value.pets) }),
    ...(value.keys === undefined ? {} : { keys: parseKeys(value.keys) }),
  }
}

/**
 * Reads the pets of a seed.
 *
 * @throws {@link InputError} with the place.
 */
export function parsePets(value: unknown): Pet[] {
  const pets = parseEach(value, 'pets', parsePet)
  refuseRepeated(
    pets.map((pet) => pet.id),
    'pets',
    'id',
  )
  return pets
}

/**
 * Reads the keys of a seed.
 *
 * @throws {@link InputError} with the place.
 */
export function parseKeys(value: unknown): ApiKey[] {
  const keys = parseEach(value, 'keys', parseKey)
  refuseRepeated(
    keys.map((key) => key.key),
    'keys',
    'key',
  )
  return keys
}

function parseEach<Item>(value: unknown, name: string, parse: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) {
    throw new InputError(`Cannot read ${name}: found ${show(value)}; use an array`, [name])
  }
  return value.map((item: unknown, index) => {
    try {
      return parse(item)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new InputError(`${name}[${index}]: ${error.message}`, [name, index])
    }
  })
}

function refuseRepeated(values: readonly unknown[], name: string, field: string): void {
  const firstAt = new Map<unknown, number>()
  values.forEach((value, index) => {
    const earlier = firstAt.get(value)
    if (earlier !== undefined) {
      throw new InputError(
        `${name}[${index}]: Cannot use ${field}: ${name}[${earlier}] has the same; use another`,
        [name, index],
      )
    }
    firstAt.set(value, index)
  })
}
