import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** Adds two tests of a client that sends a request again after a pause, a number of times at most. */
export function addTests(
  most: number,
  pauseMs: (response: Response, tries: number) => number,
): void {
  const list = async (url: string, key: string): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      if (response.ok || tries === most) return response.status
      await new Promise((resolve) => setTimeout(resolve, pauseMs(response, tries)))
    }
  }
  for (const status of ['available', 'sold']) {
    test(`lists pets that are ${status}`, async ({ apiUrl, sandbox }) => {
      const [{ key } = { key: '' }] = sandbox.keys.list()
      // A test may begin anew.
      if (status === 'sold') sandbox.reset()
      expect(await list(`${apiUrl}/pets?limit=100&status=${status}`, key)).toBe(200)
    })
  }
}
