import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from 'vitest'

/** How a suite is watched: not at all, or with audit and coverage. */
type Watch = 'off' | 'on'

const { AUDIT_BENCH_TESTS, AUDIT_BENCH_COVERAGE, AUDIT_BENCH_RESULT = '' } = process.env

/** How many tests a block has: enough to be timed, few enough to be as busy a moment as its neighbour's. */
const blockSize = 25
const warmUps = 4
const blocks = Number(AUDIT_BENCH_TESTS) / blockSize + warmUps

const headers = { authorization: 'Bearer enterprise-key', 'content-type': 'application/json' }

const { test } = await loadFixture()

/** The processor time of a test, in microseconds, by block. */
const times: Record<Watch, number[]> = { off: [], on: [] }

for (let block = 0; block < blocks; block++) {
  const order: readonly Watch[] = block % 2 === 0 ? ['off', 'on'] : ['on', 'off']
  for (const watch of order) describeBlock(watch, block)
}

afterAll(() => {
  const { off, on } = times
  const counted = { off: off.slice(warmUps), on: on.slice(warmUps) }
  writeFileSync(AUDIT_BENCH_RESULT, JSON.stringify(counted))
})

function describeBlock(watch: Watch, block: number): void {
  describe(`${watch}, block ${block}`, () => {
    let before: NodeJS.CpuUsage
    test.override('audit', watch === 'on' ? 'error' : 'off')
    beforeAll(() => {
      if (watch === 'on') process.env.PETSTORE_COVERAGE_DIR = AUDIT_BENCH_COVERAGE
      else delete process.env.PETSTORE_COVERAGE_DIR
      before = process.cpuUsage()
    })
    afterAll(() => {
      const { user, system } = process.cpuUsage(before)
      times[watch].push((user + system) / blockSize)
    })
    for (let number = 0; number < blockSize; number++) {
      test(`works with pets, ${number}`, ({ baseUrl }) => workWithPets(baseUrl, number))
    }
  })
}

/** What a test of a client asks: five requests, some of them its own, one in vain. */
async function workWithPets(baseUrl: string, number: number): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, { headers, ...init })
    return { status: response.status, body: await response.json() }
  }
  const body = JSON.stringify({ name: `Rex ${number}`, categoryId: 1 })
  expect(await ask('/pets?limit=5')).toMatchObject({ status: 200 })
  expect(await ask('/pets', { method: 'POST', body })).toMatchObject({ status: 201 })
  expect(await ask('/pets/31')).toMatchObject({ status: 200, body: { name: `Rex ${number}` } })
  expect(await ask(`/pets/${999 + number}`)).toMatchObject({ status: 404 })
  expect(await ask('/pets?status=sold')).toMatchObject({ status: 200 })
}

async function loadFixture(): Promise<typeof import('../../src/adapters/vitest.ts')> {
  return await import(new URL('../../dist/vitest.js', import.meta.url).href)
}
