import { plainInt64 } from '../../contract/int64.ts'
import { petSchema } from '../../contract/pet.ts'
import { object } from '../../input/object.ts'
import { named } from '../../input/schema.ts'

/** A pet as the controls show it. */
export const petView = named(
  'Pet',
  object(
    { ...petSchema.properties, id: plainInt64, categoryId: plainInt64 },
    { unknown: 'ignore' },
  ),
)
