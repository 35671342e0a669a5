import { setTimeout as wait } from 'node:timers/promises'
import { QueryClient } from '@tanstack/query-core'
import axios from 'axios'
import { describe, expect } from 'vitest'
import { test } from '../../../../src/adapters/vitest.ts'

/** Asks for pets, and returns the status. */
export type Ask = (url: string) => Promise<number>

const headers = { authorization: 'Bearer free-key' }

const askByFetch: Ask = async (url) => {
  const response = await fetch(url, { headers })
  await response.json()
  return response.status
}

const clients: Readonly<Record<string, Ask>> = {
  fetch: askByFetch,
  axios: async (url) => (await axios.get(url, { headers })).status,
  'TanStack Query': (url) =>
    new QueryClient().fetchQuery({ queryKey: ['pets'], queryFn: () => askByFetch(url) }),
}

const address = 'https://api.example.com/v1'

/** Tests that each test at a fixed address has its own sandbox, whatever connection a client takes. */
export function testOneAddress(where: string, others: Readonly<Record<string, Ask>> = {}): void {
  describe.each(Object.entries({ ...clients, ...others }))(
    `%s at a fixed address, ${where}`,
    (_, ask) => {
      test.override('apiUrl', address)

      const askTimes = async (count: number): Promise<void> => {
        for (let sent = 0; sent < count; sent++) {
          expect(await ask(`${address}/pets?limit=1`)).toBe(200)
          // What a client does after its last answer: its connection is free by then.
          await wait(0)
        }
      }

      test.for([1, 2, 3, 4])('asks the sandbox of test %i', async (count, { sandbox }) => {
        await askTimes(count)
        expect(sandbox.requests.list()).toHaveLength(count)
      })

      describe.concurrent('side by side', () => {
        test.for([1, 2, 3, 4])('asks the sandbox of test %i', async (count, { sandbox }) => {
          // Whose connection is free by then is another test's.
          await wait(count * 5)
          await askTimes(count)
          expect(sandbox.requests.list()).toHaveLength(count)
        })
      })
    },
  )
}
