import { PetClient, PetClientError } from '../../../../examples/client/pet-client.ts'
import type { ClientTools } from '../client-tools.ts'

/** Lists and adds pets in turn, with the client from examples/client that users can copy. */
export async function politeClient(tools: ClientTools): Promise<void> {
  const { key, fetch, sleep, isRunning } = tools
  const client = new PetClient({ ...tools, apiKey: key, fetch: (url, init) => fetch(url, init) })
  for (let number = 1; isRunning(); number++) {
    try {
      if (number % 4 === 0) await client.createPet({ name: `Rex ${number}`, categoryId: 1n })
      else await client.listPets()
    } catch (error) {
      if (!(error instanceof PetClientError)) throw error
    }
    await sleep(1_500)
  }
}
