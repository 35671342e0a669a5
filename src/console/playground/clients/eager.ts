import type { ClientTools } from '../client-tools.ts'

/** Adds pets, and retries every failure immediately. */
export async function eagerClient({ apiUrl, key, fetch, sleep, isRunning }: ClientTools) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  while (isRunning()) {
    for (let tries = 1; tries <= 5; tries++) {
      try {
        const response = await fetch(`${apiUrl}/pets`, { method: 'POST', headers, body })
        if (response.ok) break
      } catch {
        // Retry.
      }
    }
    await sleep(750)
  }
}
