import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { observeRun } from '../../../../src/cli/check/observer.ts'
import { type CallResult, readCalls, resultComplaints } from '../../../../src/cli/check/results.ts'
import type { FaultSettings } from '../../../../src/mock/faults/fault-rules.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../../kit/send.ts'

const rex: TestRequest = { json: '{"name":"Rex","categoryId":1}' }

/** Names what is wrong with results, after some requests. */
async function wrongIn(
  requests: readonly TestRequest[],
  calls: readonly Partial<CallResult>[],
  faults: readonly FaultSettings[] = [],
) {
  const sandbox = frozenSandbox()
  const resultOf = await observeRun(sandbox, { excepted: new Set() })
  if (faults.length > 0) sandbox.faults.add(faults)
  for (const request of requests) await sandbox.handle(requestOf(request))
  const whole = calls.map(
    (one): CallResult => ({
      ...{ call: 'listPets', id: undefined, ids: undefined, error: undefined },
      ...one,
    }),
  )
  return resultComplaints([{ calls: whole }], await resultOf({})).map(({ what }) => what)
}

describe('resultComplaints()', () => {
  const two = { url: '/v1/pets?limit=2' }
  const outage: readonly FaultSettings[] = [{ fault: 'status', status: 503 }]
  const lost: readonly FaultSettings[] = [{ fault: 'disconnect', times: 1 }]
  const both = [{ url: '/v1/pets/1' }, { url: '/v1/pets/2' }]

  interface Row {
    readonly what: string
    readonly requests: readonly TestRequest[]
    readonly calls: readonly Partial<CallResult>[]
    readonly faults?: readonly FaultSettings[]
  }

  it.each<Row>([
    { what: 'a list', requests: [two], calls: [{ ids: ['1', '2'] }] },
    { what: 'a list over two pages', requests: [two, two], calls: [{ ids: ['1', '2', '1', '2'] }] },
    { what: 'a pet', requests: both, calls: [{ call: 'getPet', id: '2' }] },
    { what: 'an added pet', requests: [rex], calls: [{ call: 'createPet', id: '31' }] },
    {
      what: 'a pet whose response was lost, and that was found',
      requests: [rex, { url: '/v1/pets?limit=100' }],
      calls: [{ call: 'createPet', id: '31' }],
      faults: lost,
    },
    { what: 'an error', requests: [two], calls: [{ error: 'unavailable' }], faults: outage },
    { what: 'no response', requests: [two], calls: [{ error: 'no-response' }], faults: lost },
    { what: 'a call that needed no request', requests: [], calls: [{ ids: [] }] },
  ])('has none about $what', async ({ requests, calls, faults }) => {
    expect(await wrongIn(requests, calls, faults)).toEqual([])
  })

  it.each<Row>([
    { what: 'returns another id', requests: [rex], calls: [{ call: 'createPet', id: '30' }] },
    { what: 'returns another list', requests: [two], calls: [{ ids: ['1'] }] },
    { what: 'returns another list', requests: [two], calls: [{ ids: ['2', '1'] }] },
    { what: 'adds a pet twice', requests: [rex, rex], calls: [{ call: 'createPet', id: '31' }] },
    { what: 'reports a false success', requests: [two], calls: [{ ids: [] }], faults: outage },
    {
      what: 'reports another error',
      requests: [two],
      calls: [{ error: 'rate-limited' }],
      faults: outage,
    },
  ])('names a client that $what', async ({ what, requests, calls, faults }) => {
    expect(await wrongIn(requests, calls, faults)).toEqual([what])
  })
})

describe('readCalls()', () => {
  it('reads the lines of the guide', async () => {
    const file = new URL('../../../process/readme/results.jsonl', import.meta.url)
    expect(await readCalls(fileURLToPath(file))).toMatchObject([
      { call: 'createPet', id: '9007199254740993' },
      { call: 'listPets', ids: ['1', '2'] },
      { call: 'getPet', error: 'rate-limited' },
    ])
  })

  it('has none without a file', async () => {
    expect(await readCalls('nowhere')).toEqual([])
  })

  it.each([
    { line: '{"call":"listPets"', says: /^Cannot read line 2 of \$PETSTORE_RESULTS: .*JSON/ },
    { line: '{"call":"deletePet"}', says: /line 2 .*listPets/ },
    { line: '{"call":"listPets","error":"teapot"}', says: /line 2 .*rate-limited/ },
  ])('rejects $line', async ({ line, says }) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-results-'))
    const file = join(folder, 'results.jsonl')
    writeFileSync(file, `\n${line}\n`)
    await expect(readCalls(file)).rejects.toThrow(says)
    rmSync(folder, { recursive: true })
  })
})
