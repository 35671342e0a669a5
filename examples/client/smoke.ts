import { appendFileSync } from 'node:fs'
import { PetClient, PetClientError } from './pet-client.ts'

const { PETSTORE_API_URL: apiUrl = '', PETSTORE_KEY: apiKey = '', PETSTORE_RESULTS } = process.env
const client = new PetClient({ apiUrl, apiKey, timeLimitMs: 5_000, lookAfterMs: [500, 2_500] })

const calls = {
  listPets: async () => ({ ids: (await client.listPets()).map(({ id }) => String(id)) }),
  createPet: async () => ({
    id: String((await client.createPet({ name: 'Rex', categoryId: 1n })).id),
  }),
}

/** What `check` compares with the responses. */
function failed(error: unknown) {
  const { status, retryAfterMs } = error instanceof PetClientError ? error : {}
  if (status === 429 || retryAfterMs !== undefined) return { error: 'rate-limited' }
  if (status === undefined) return { error: 'no-response' }
  if (status < 300) return { error: 'unreadable' }
  if (status >= 500) return { error: 'unavailable' }
  return { error: status === 401 ? 'unauthorized' : status === 404 ? 'not-found' : 'invalid' }
}

const [, , only] = process.argv
for (const [call, run] of Object.entries(calls)) {
  if (only !== undefined && only !== call) continue
  const line = JSON.stringify({ call, ...(await run().catch(failed)) })
  process.stdout.write(`${line}\n`)
  if (PETSTORE_RESULTS) appendFileSync(PETSTORE_RESULTS, `${line}\n`)
}
