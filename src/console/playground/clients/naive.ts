import type { ClientTools } from '../client-tools.ts'

/** Sends requests repeatedly, and treats every response as a list of pets. */
export async function naiveClient({ apiUrl, key, fetch, sleep, isRunning }: ClientTools) {
  const headers = { Authorization: `Bearer ${key}` }
  while (isRunning()) {
    const response = await fetch(`${apiUrl}/pets?limit=100`, { headers })
    await response.json()
    await sleep(250)
  }
}
