import { PetClient } from '../client/pet-client.ts'

/** A session of the client to copy. */
export async function session({ apiUrl, apiKey }) {
  const client = new PetClient({ apiUrl, apiKey })
  await client.listPets({ limit: 5 })
  if (new Date().getUTCHours() % 4 === 0) await client.createPet({ name: 'Rex', categoryId: 1n })
}
