import { int64 } from '../../contract/int64.ts'
import { petSchema } from '../../contract/pet.ts'
import { series } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { whole } from '../../input/values.ts'

/** What a snapshot has of the pets beside the pets themselves. */
export const savedBesidePets = object({
  categories: series(int64),
  highestId: int64,
  random: whole(0, 2 ** 32 - 1),
  shuffleSeed: whole(0, 2 ** 32 - 1),
})

/** The pets in a snapshot. */
export const savedPets = object({ list: series(petSchema), ...savedBesidePets.properties })
