import { describe, expect, it } from 'vitest'
import {
  effectText,
  faultNamed,
  faultNames,
  faultOf,
  firstDraft,
  isWaiting,
  targetText,
} from '../../src/console/model/situations/fault-texts.ts'
import { faultKinds } from '../../src/faults/fault-kinds.ts'
import type { FaultSettings } from '../../src/faults/fault-rules.ts'
import { namesOf } from '../../src/input/record.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'

describe('faultOf()', () => {
  it('knows all kinds', () => {
    expect(faultNames).toEqual(namesOf(faultKinds))
    expect(faultNamed('latency')).toBe('latency')
    expect(faultNamed('toString')).toBe(undefined)
  })

  it.each(faultNames)('makes a fault %s that a sandbox takes', (fault) => {
    const sandbox = frozenSandbox()
    const target = { operation: 'listPets', key: 'free-key', times: '' } as const
    const added = sandbox.faults.add(faultOf({ ...firstDraft, fault, ...target }))
    expect(added).toMatchObject({ fault, operation: 'listPets', key: 'free-key', struck: 0 })
    expect(added.times ?? null).toBe(null)
    expect(effectText(added)).not.toBe('')
    expect(targetText(added)).toBe('listPets, with free-key, every time')
  })
})

it.each(faultNames)('takes from the form what the kind %s can be told', (fault) => {
  const all = {
    operation: 'getPet',
    method: 'GET',
    key: 'free-key',
    times: '3',
    after: ' 2',
    probability: '0.25',
  } as const
  const settings = faultOf({ ...firstDraft, fault, retryAfter: '30s', ...all })
  const taken = Object.keys(settings).filter((name) => name !== 'fault')
  const known = Object.keys(faultKinds[fault].properties).filter((name) => name !== 'fault')
  expect(taken.toSorted()).toEqual(known.toSorted())
  expect(frozenSandbox().faults.add(settings)).toMatchObject({
    operation: 'getPet',
    method: 'GET',
    key: 'free-key',
    times: 3,
    after: 2,
    probability: 0.25,
  })
})

it.each([
  { name: 'times', typed: 'often', found: '"often"' },
  { name: 'after', typed: '1,5', found: '"1,5"' },
  { name: 'probability', typed: '50 %', found: '"50 %"' },
  { name: 'status', typed: '', found: '""' },
] as const)('refuses $typed as $name, as it was typed', ({ name, typed, found }) => {
  expect(() => faultOf({ ...firstDraft, [name]: typed })).toThrow(
    `Cannot set fault.${name}: found ${found}; use a number`,
  )
})

it('reads what only an error status has', () => {
  const sandbox = frozenSandbox()
  const added = sandbox.faults.add(faultOf({ ...firstDraft, status: '503', retryAfter: ' 30s ' }))
  expect(effectText(added)).toBe('status 503, again after 30s')
})

describe('the words for a fault', () => {
  const faults: readonly {
    readonly fault: FaultSettings
    readonly effect: string
    readonly target: string
  }[] = [
    { fault: { fault: 'status' }, effect: 'status 500', target: 'all requests, every time' },
    {
      fault: { fault: 'latency', ms: ['1s', '3s'], method: 'POST', times: 1 },
      effect: 'a late answer: 1s to 3s',
      target: 'POST requests, once',
    },
    {
      fault: { fault: 'disconnect', when: 'body', probability: 0.05, after: 2, times: 3 },
      effect: 'the connection is cut within the body',
      target: 'all requests, after 2, 5 in 100, 3 times',
    },
  ]
  it('name the method beside the operation', () => {
    const fault = { fault: 'timeout', operation: 'listPets', method: 'HEAD', times: 2 } as const
    expect(targetText(fault)).toBe('listPets, HEAD, 2 times')
  })

  it.each(faults)('are "$effect" and "$target"', ({ fault, effect, target }) => {
    expect(effectText(fault)).toBe(effect)
    expect(targetText(fault)).toBe(target)
  })
})

describe('isWaiting()', () => {
  it.each([
    { times: undefined, struck: 5, waits: true },
    { times: null, struck: 5, waits: true },
    { times: 2, struck: 1, waits: true },
    { times: 2, struck: 2, waits: false },
  ])('is $waits for $struck of $times', ({ times, struck, waits }) => {
    expect(isWaiting({ fault: 'timeout', times, struck })).toBe(waits)
  })
})
