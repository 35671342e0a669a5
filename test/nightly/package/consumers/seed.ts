import { createSandbox, type Pet } from 'petstore-sandbox'
import { type GenerateOptions, generatePets } from 'petstore-sandbox/seed'

const options: GenerateOptions = { count: 25, seed: 7 }
const pets: Pet[] = generatePets(options)
const { size } = createSandbox({ seed: { pets } }).pets
if (size !== 25) throw new Error(`Cannot generate pets: found ${size}`)

// @ts-expect-error: the number of pets is needed.
void (() => generatePets({ seed: 7 }))
