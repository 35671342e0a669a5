/** An int64 as JSON Schema (spec 2). */
export const int64Schema = { type: 'integer', format: 'int64' } as const

/** The fields of NewPet as JSON Schema (spec 2). */
export const newPetProperties = {
  name: { type: 'string', description: 'What the animal is called.' },
  categoryId: { ...int64Schema, description: 'The number of its category.' },
  status: { $ref: '#/components/schemas/PetStatus' },
} as const

/** The field that only Pet has, as JSON Schema (spec 2). */
export const petIdSchema = {
  ...int64Schema,
  description: 'Chosen by the service when the animal is added; no two animals share one.',
} as const
