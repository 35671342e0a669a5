import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { send, type TestRequest } from '../kit/send.ts'

function coveredSandbox(): Sandbox {
  return createSandbox({ coverage: true, clock: { now: startAt, mode: 'frozen' } })
}

/** The names of the gaps that have mattered to a sandbox. */
async function gapsOf(sandbox: Sandbox): Promise<readonly string[]> {
  const { gaps } = (await sandbox.coverage()).tiers
  return gaps.cells.flatMap(({ cell, met }) => (met ? [cell.replace(/=.*/, '')] : []))
}

interface Row extends TestRequest {
  readonly on: readonly string[]
  readonly notOn: readonly string[]
}

const rows: readonly Row[] = [
  {
    url: '/v1/pets?limit=2&status=sold',
    on: ['listOrder', 'quotaWindow', 'reportedWindow'],
    notOn: [
      'afterSunset',
      'banAfter',
      'bearerScheme',
      'countedRequests',
      'errorCodes',
      'invalidQuery',
      'messages',
      'refusalOrder',
      'repeatedQuery',
      'trailingSlash',
      'unknownQuery',
    ],
  },
  {
    url: '/v1/pets/1',
    on: ['deprecatedSince', 'deprecationHeaders'],
    notOn: ['afterSunset', 'deprecationOn', 'invalidPetId', 'listOrder'],
  },
  {
    url: '/v1/pets/999',
    on: ['countedRequests', 'deprecationOn', 'errorCodes', 'messages'],
    notOn: ['invalidPetId', 'unauthorizedQuota'],
  },
  {
    json: '{"name":"Rex","categoryId":1,"status":"sold"}',
    on: ['idSequence'],
    notOn: ['emptyName', 'missingContentType', 'nullStatus', 'omittedStatus', 'unknownCategory'],
  },
  { key: null, on: ['unauthorizedQuota'], notOn: ['listOrder', 'unknownRouteWithoutKey'] },
]

describe('readerOf()', () => {
  it.each(rows)('tells of the gaps on which $url $json depends', async (row) => {
    const { on, notOn, ...request } = row
    const sandbox = coveredSandbox()
    await send(sandbox, request)
    const found = await gapsOf(sandbox)
    expect(found).toEqual(expect.arrayContaining([...on]))
    expect(found.filter((name) => notOn.includes(name))).toEqual([])
  })

  it('tells nothing of what controls read', async () => {
    const sandbox = coveredSandbox()
    await send(sandbox)
    const before = await gapsOf(sandbox)
    sandbox.setGaps({ listOrder: 'shuffled' })
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    sandbox.restore(sandbox.snapshot())
    expect(sandbox.gaps.idSequence).toBe('sequential')
    expect(await gapsOf(sandbox)).toEqual(before)
  })
})
