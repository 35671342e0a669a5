import { describe, expect, it } from 'vitest'
import {
  effectText,
  faultNamed,
  faultNames,
  targetText,
} from '../../../src/console/fail/fault-texts.ts'
import { isWaiting } from '../../../src/console/live/live-store.ts'
import {
  changeText,
  effectsIn,
  gapSettingsOf,
  listedChoices,
} from '../../../src/console/spec/gap-texts.ts'
import { type FaultSettings, faultKinds } from '../../../src/mock/faults/fault-rules.ts'
import { namesOf } from '../../../src/mock/input/record.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

it('has words for all kinds of fault', () => {
  expect(faultNames).toEqual(namesOf(faultKinds))
  expect(faultNamed('toString')).toBe(undefined)
})

describe('the words for a fault', () => {
  const faults: readonly {
    readonly fault: FaultSettings
    readonly effect: string
    readonly target: string
  }[] = [
    {
      fault: { fault: 'status', status: 503, retryAfter: '30s' },
      effect: 'gets 503, Retry-After 30s',
      target: 'all requests',
    },
    {
      fault: { fault: 'latency', ms: ['1s500ms', '3s'], method: 'POST', times: 1 },
      effect: 'responds 1 s 500 ms to 3 s late',
      target: 'POST requests, once',
    },
    {
      fault: { fault: 'disconnect', when: 'body', probability: 0.05, skip: 2, times: 3 },
      effect: 'is cut off within the body',
      target: 'all requests, after 2, 5 %, 3 times',
    },
    {
      fault: { fault: 'timeout', operation: 'listPets', method: 'HEAD', key: 'pro-key', times: 2 },
      effect: 'gets no response',
      target: 'listPets, HEAD, with pro-key, 2 times',
    },
  ]
  it.each(faults)('are "$effect" and "$target"', ({ fault, effect, target }) => {
    expect(effectText(fault)).toBe(effect)
    expect(targetText(fault)).toBe(target)
  })
})

describe('isWaiting()', () => {
  it.each([
    { times: undefined, applied: 5, waits: true },
    { times: null, applied: 5, waits: true },
    { times: 2, applied: 1, waits: true },
    { times: 2, applied: 2, waits: false },
  ])('is $waits for $applied of $times', ({ times, applied, waits }) => {
    expect(isWaiting({ times, applied })).toBe(waits)
  })
})

describe('gapSettingsOf()', () => {
  it('reads numbers where a gap has them', () => {
    expect(gapSettingsOf({ banStatus: '403' })).toEqual({ banStatus: 403 })
    expect(gapSettingsOf({ banAfter: '3' })).toEqual({ banAfter: 3 })
    expect(gapSettingsOf({ banAfter: 'never' })).toEqual({ banAfter: 'never' })
    expect(listedChoices('banStatus')).toEqual(['429', '403', '418'])
  })

  it('rejects at the gap', () => {
    expect(() => gapSettingsOf({ banDuration: 'long' })).toThrow(
      expect.objectContaining({ path: ['banDuration'] }),
    )
  })
})

describe('effectsIn()', () => {
  it('lists the values that would have changed a response, with the requests, most first', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    await sandbox.handle(requestOf({ url: '/v1/pets/nope' }))
    const effects = effectsIn(await sandbox.whatIf({ count: true }))
    expect(effects).toContainEqual(
      expect.objectContaining({ name: 'invalidPetId', value: 'bad-request', count: 1, ids: [2] }),
    )
    const counts = effects.map(({ count }) => count)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(effects.map(({ name }) => name)).not.toContain('nullStatus')
  })

  it('has both responses to a request, and what differs in them', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets/nope' }))
    const effects = effectsIn(await sandbox.whatIf({ request: 1, responses: true }))
    const texts = effects.map(
      ({ name, value, responses }) =>
        `${name}=${value}: ${responses && changeText(responses.actual, responses.alternative)}`,
    )
    expect(texts).toContain('invalidPetId=bad-request: 404 → 400')
    expect(texts).toContain('resetUnit=milliseconds: x-ratelimit-reset')
    expect(texts).toContain('errorCodes=opaque: body')
  })
})
