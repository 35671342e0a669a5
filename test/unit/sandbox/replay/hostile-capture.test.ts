import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { captureFile } from '../../../../src/sandbox/controls/captures.ts'
import { changingControls } from '../../../../src/sandbox/controls/http/routes.ts'
import { replayCapture } from '../../../../src/sandbox/replay/replay-capture.ts'
import { anyCharacter } from '../../../kit/any-character.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const at = '2030-12-05T00:00:00Z'

const snapshot: object = frozenSandbox().snapshot()

const anyGiven: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('free-key', 1, {}, { plan: 'free' }, { list: [] }, snapshot, {
    ...snapshot,
    keys: {},
  }),
  fc.record({ only: fc.constantFrom<unknown>(['keys'], 'keys', [1]), pets: fc.jsonValue() }),
)

const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('control'),
    at: fc.constantFrom<unknown>(at, 0, 253402300799999),
    name: fc.constantFrom(...changingControls),
    given: fc.array(anyGiven, { maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('request'),
    number: fc.constantFrom<unknown>(1, 2, 3, 0),
    at: fc.constant(at),
    request: fc.record({
      method: fc.oneof(fc.constant('GET'), fc.string()),
      url: fc.oneof(fc.constant('/v1/pets'), fc.string()),
      headers: fc.dictionary(fc.string(), fc.string()),
      body: fc.string({ unit: anyCharacter }),
    }),
    outcome: fc.constant({ kind: 'response', status: 200, headers: {}, body: '' }),
  }),
)

it('replays anything that reads as a capture, or rejects it', async () => {
  const sometimes = new Sometimes('a replayed request', 'a rejection')
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 6 }), async (steps) => {
      try {
        const capture = readInput(captureFile, { petstoreCapture: 1, options: {}, steps })
        const { requests } = await replayCapture(capture)
        expect(requests).toBeLessThanOrEqual(steps.length)
        sometimes.meet({ 'a replayed request': requests > 0 })
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(InputError)
        sometimes.meet({ 'a rejection': true })
      }
    }),
    { numRuns: draws(150) },
  )
  sometimes.expectAllMet()
})
