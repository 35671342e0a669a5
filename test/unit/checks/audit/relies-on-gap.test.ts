import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../../src/mock/api/endpoints.ts'
import type { ApiRequest } from '../../../../src/mock/api/message.ts'
import type { WhatIf } from '../../../../src/sandbox/controls/what-if.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { anyGaps, anyRequest, anyUnpromised } from '../../../kit/arbitraries.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, type TestRequest } from '../../../kit/send.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const rex = '{"name":"Rex","categoryId":1}'

async function findingsOn(sandbox: Sandbox): Promise<string[]> {
  const findings = await sandbox.findings()
  return findings.flatMap(({ rule, message }) => (rule === 'relies-on-gap' ? [message] : []))
}

/** Requests that many a choice rejects, and others don't. */
const anyServed: fc.Arbitrary<ApiRequest> = fc.constantFrom(
  requestOf({ url: '/v1/pets' }),
  requestOf({ url: '/v1/pets?limit=99' }),
  requestOf({ url: '/v1/pets?status=sold' }),
  requestOf({ url: '/v1/pets?status=other' }),
  requestOf({ url: '/v1/pets/1' }),
  requestOf({ url: '/v1/pets/?limit=3&limit=4' }),
  requestOf({ url: '/v1/pets?limit=-1&tag=x' }),
  requestOf({ url: '/v1/pets/1?a=b' }),
  requestOf({ url: '/v1/store/orders?a=b' }),
  requestOf({ headers: { authorization: 'bearer free-key' } }),
  requestOf({ json: '{"name":"","categoryId":1e0,"status":null,"name":"","x":1}' }),
  requestOf({ json: '{"name":"","categoryId":987654}' }),
  requestOf({ json: '{"name":"Rex","categoryId":987654}' }),
  requestOf({ json: '{"name":"Rex","categoryId":1,"status":"sold"}' }),
  requestOf({ method: 'POST', body: rex }),
)

describe('relies-on-gap', () => {
  it.each<{ request: TestRequest; message: string }>([
    {
      request: { json: '{"name":"Rex","categoryId":1,"tag":"x"}' },
      message:
        'POST /pets succeeded only because of the value of a gap in this sandbox: with unknownProperties=reject in place of ignore (spec 2) it gets 400, Cannot use property "tag": it is unknown; use name, categoryId, status.',
    },
    {
      request: { url: '/v1/pets?offset=3' },
      message: `GET /pets succeeded only because of the value of a gap in this sandbox: with unknownQuery=reject in place of ignore (spec 4.1) it gets 400, Cannot use query parameter "offset": it is unknown; use ${endpoints.listPets.query.join(', ')}.`,
    },
    {
      request: { headers: { authorization: 'bearer free-key' } },
      message:
        'GET /pets succeeded only because of the value of a gap in this sandbox: with bearerScheme=case-sensitive in place of case-insensitive (spec 5) it gets 401, Cannot authenticate: the scheme is not written Bearer; send Authorization: Bearer <API_KEY>.',
    },
    {
      request: { json: '{"name":"","categoryId":1.0}' },
      message:
        'POST /pets succeeded only because of the value of a gap in this sandbox: with emptyName=reject in place of accept (spec 2) it gets 400, Cannot use name: it is empty; send at least one character; with nonCanonicalIntegers=reject in place of accept (spec 2) it gets 400, Cannot use categoryId: found "1.0"; send an integer without a fraction or an exponent.',
    },
    {
      request: { json: '{"name":"Rex","categoryId":987654}' },
      message:
        'POST /pets succeeded only because of the value of a gap in this sandbox: with unknownCategory=reject in place of accept (spec 2) it gets 400, Cannot use categoryId: found 987654; send the category of a pet in the seed.',
    },
  ])('is found, as information: $message', async ({ request, message }) => {
    const sandbox = frozenSandbox()
    await send(sandbox, request)
    await send(sandbox, request)
    const findings = await sandbox.findings()
    expect(findings.filter(({ rule }) => rule === 'relies-on-gap')).toMatchObject([
      { severity: 'info', message, requests: [1] },
    ])
  })

  it.each<{ why: string; requests: readonly TestRequest[] }>([
    {
      why: 'what every choice accepts',
      requests: [
        {},
        { json: rex },
        { url: '/v1/pets?limit=3' },
        { url: '/v1/pets?status=sold' },
        { json: '{"name":"Rex","categoryId":2,"status":"sold"}' },
      ],
    },
    { why: 'a rejection', requests: [{ json: '{"tag":1}' }, { url: '/v1/pets?limit=0' }] },
    { why: 'an id that another choice would not have given', requests: [{ json: rex }] },
    { why: 'an invalid key', requests: [{ key: 'nobody-knows-it' }] },
  ])('is not found: $why', async ({ requests }) => {
    const sandbox = frozenSandbox()
    for (const request of requests) await send(sandbox, request)
    expect(await findingsOn(sandbox)).toEqual([])
  })

  it('is not found by which ids new pets get, since a client reads them from the response', async () => {
    const sandbox = frozenSandbox({ gaps: { deprecationHeaders: 'none' } })
    const created = await send(sandbox, { json: rex })
    const { id } = JSON.parse(created.body)
    await send(sandbox, { url: `/v1/pets/${id}` })
    expect(await findingsOn(sandbox)).toEqual([])
  })

  it('is found once for each gap, whatever else depends on it', async () => {
    const sandbox = frozenSandbox()
    for (const page of [1, 2, 3]) await send(sandbox, { url: `/v1/pets?offset=${page}` })
    await send(sandbox, { url: '/v1/pets?page=1', headers: { authorization: 'BEARER free-key' } })
    expect(await findingsOn(sandbox)).toHaveLength(2)
  })

  it('is found once until a reset, and anew for what other choices are made', async () => {
    const sandbox = frozenSandbox({ gaps: { emptyName: 'reject', unknownProperties: 'reject' } })
    await sandbox.findings()
    const nameless = { json: '{"name":"","categoryId":1,"tag":1}' }
    await send(sandbox, nameless)
    expect(await findingsOn(sandbox)).toEqual([])
    sandbox.setGaps({ emptyName: 'accept', unknownProperties: 'ignore' })
    await send(sandbox, nameless)
    await send(sandbox, nameless)
    expect(await findingsOn(sandbox)).toHaveLength(1)
    sandbox.reset()
    sandbox.setGaps({ emptyName: 'accept', unknownProperties: 'ignore' })
    await send(sandbox, nameless)
    await send(sandbox, nameless)
    expect(await findingsOn(sandbox)).toHaveLength(2)
  })

  it('names the gaps that what-if finds, whatever is sent', async () => {
    const sometimes = new Sometimes('a gap', 'an error')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyRequest, anyServed),
        anyGaps,
        anyUnpromised,
        async (request, open, unpromised) => {
          const sandbox = frozenSandbox({ gaps: { ...open, ...unpromised } })
          const outcome = await sandbox.handle({
            ...request,
            headers: { authorization: 'Bearer free-key', ...request.headers },
          })
          const isServed = outcome.kind === 'response' && outcome.status < 300
          const found = await findingsOn(sandbox)
          const named = [...found.join().matchAll(/with (\w+)=\S+ in place of/g)].map(
            ([, name]) => name,
          )
          const rejecting = rejectingGaps(await sandbox.whatIf({ responses: true }))
          expect(named.sort()).toEqual(isServed ? rejecting.sort() : [])
          sometimes.meet({
            'a gap': named.length > 0,
            'an error': !isServed,
          })
        },
      ),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })
})

/** The gaps with another value with which a request that succeeded is rejected. */
function rejectingGaps({ results }: WhatIf): string[] {
  const rejecting = results.filter(({ responses }) => (responses?.alternative.status ?? 0) >= 400)
  return [...new Set(rejecting.flatMap(({ gaps }) => Object.keys(gaps)))]
}
