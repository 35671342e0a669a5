import { describe, expect, it } from 'vitest'
import {
  type ConditionName,
  conditionNames,
  conditions,
  mostRetried,
} from '../../../../src/cli/check/conditions.ts'
import { gradeCondition } from '../../../../src/cli/check/grade.ts'
import type { OperationName } from '../../../../src/mock/api/endpoints.ts'
import {
  anxiousSuite,
  hastySuite,
  lookingOnce,
  politeSuite,
  resetSuite,
  rudeSuite,
} from '../../../kit/check-suites.ts'
import { turn } from '../../../kit/rudenesses.ts'
import {
  baselineRun,
  endedRun,
  gradedCondition,
  runCondition,
  type Suite,
} from '../../../kit/run-condition.ts'

/** What each condition says of a client with bad manners, or of a suite that is too strict: never that it has passed. */
const rudeResults: Readonly<
  Record<
    ConditionName,
    {
      /** Of conditions of operations. */
      readonly operation?: OperationName
      readonly suite?: Suite
      readonly state: 'fix' | 'review'
      readonly what: string
    }
  >
> = {
  'minute-limit': { state: 'fix', what: 'retry-too-early' },
  'day-limit': { state: 'fix', what: 'retry-too-early' },
  'shared-key': { state: 'fix', what: 'retry-too-early' },
  banned: { state: 'fix', what: 'request-while-banned' },
  'key-expired': { state: 'fix', what: 'retried-permanent-error' },
  outage: { operation: 'getPet', state: 'review', what: 'no-backoff' },
  'retry-after': { operation: 'listPets', state: 'fix', what: 'retry-too-early' },
  'lost-response': { operation: 'createPet', state: 'fix', what: 'duplicate-create' },
  'late-list': { suite: lookingOnce, state: 'review', what: 'duplicate-create' },
  'no-response': { operation: 'createPet', state: 'fix', what: 'duplicate-create' },
  'invalid-json': { operation: 'createPet', state: 'fix', what: 'duplicate-create' },
  slow: { suite: anxiousSuite, state: 'review', what: 'fails under slow' },
  'clock-behind': { suite: resetSuite, state: 'fix', what: 'retry-too-early' },
  'sunset-eve': { suite: anxiousSuite, state: 'review', what: 'fails under sunset-eve' },
  'sunset-day': { state: 'review', what: 'fails under sunset-day' },
  'large-ids': { state: 'fix', what: 'id-precision-loss' },
}

describe('conditions', () => {
  it.each(conditionNames.map((name) => ({ name, ...rudeResults[name] })))(
    '$name: a rude client gets $what, to $state',
    async ({ name, operation, suite = rudeSuite, state, what }) => {
      const graded = await gradedCondition(suite, name, operation)
      expect(graded.complaints.map((one) => one.what)).toContain(what)
      expect(graded).toMatchObject({ state })
    },
  )

  const politely = conditionNames.flatMap(
    (name): readonly { readonly name: ConditionName; readonly operation?: OperationName }[] =>
      conditions[name].per === 'suite'
        ? [{ name }]
        : [
            { name, operation: 'createPet' },
            { name, operation: 'listPets' },
          ],
  )
  it.each(politely)('$name $operation: a polite client has passed', async (check) => {
    const { complaints, state } = await gradedCondition(politeSuite, check.name, check.operation)
    expect(complaints).toEqual([])
    expect(state).toBe(conditions[check.name].needs === 'getPet' ? 'not-met' : 'passed')
  })

  it.each(conditionNames.filter((name) => conditions[name].per === 'suite'))(
    '%s does not take the next test for a retry',
    async (name) => {
      const { complaints } = await gradedCondition(hastySuite, name)
      expect(complaints.filter(({ what }) => !what.startsWith('fails under'))).toEqual([])
    },
  )

  it('passes a client by the service’s clock where both clocks agree', async () => {
    expect(await gradedCondition(resetSuite, 'minute-limit')).toMatchObject({ state: 'passed' })
  })

  describe('prove a retry by the run without the condition (S1)', () => {
    /** A suite of some tests, each of which sends the same request again after a pause, three times at most. */
    const retrying =
      (pauseMs: number, tests = 1): Suite =>
      async (world) => {
        for (let test = 0; test < tests; test++) {
          for (let tries = 0; tries < 3; tries++) {
            const outcome = await world.send({ url: '/v1/pets?limit=100' })
            if (outcome.kind === 'response' && outcome.status === 200) break
            await world.sleep(pauseMs)
          }
        }
      }

    it.each([0, 30, 100, 249, 251])('after %i ms', async (pauseMs) => {
      const { complaints } = await gradedCondition(retrying(pauseMs), 'retry-after', 'listPets')
      expect(complaints).toMatchObject([
        {
          grade: 'fix',
          what: 'retry-too-early',
          text: expect.stringMatching(
            /^Sent GET \/v1\/pets\?limit=100 3 times, which the suite itself sends once: [\d.]+ s after a 503 with Retry-After: 2\. If the tests replace the sleep, let them move the sandbox's clock\.$/,
          ),
        },
      ])
    })

    it('and name no request of the next test beside it, however late that is', async () => {
      const suite: Suite = async (world) => {
        await retrying(100)(world)
        await turn()
        await world.sleep(400)
        await turn()
        for (let tries = 0; tries < 2; tries++) {
          const outcome = await world.send({ url: '/v1/pets?limit=50' })
          if (outcome.kind === 'response' && outcome.status === 200) break
        }
      }
      const { complaints } = await gradedCondition(suite, 'day-limit')
      expect(complaints.map(({ what }) => what)).toEqual(['retry-too-early'])
    })

    it('after a pause in each of several tests that send the same', async () => {
      expect(await gradedCondition(retrying(100, 5), 'minute-limit')).toMatchObject({
        state: 'fix',
      })
    })

    it('in one of many sandboxes, in which tests send the same', async () => {
      const suite = retrying(0)
      const done = await runCondition(suite, 'retry-after', 'listPets')
      const [own] = done.seen.sandboxes
      const sent = new Map([...(own?.sent.keys() ?? [])].map((request) => [request, 1]))
      const spared = Array.from({ length: 12 }, () => ({ sent, met: new Map(), early: new Map() }))
      const seen = { ...done.seen, sandboxes: [...spared, ...done.seen.sandboxes] }
      const { complaints } = gradeCondition({ ...done, seen }, await baselineRun(suite))
      expect(complaints).toMatchObject([
        {
          grade: 'fix',
          text: expect.stringContaining(' 3 times, which the suite itself sends once'),
        },
      ])
    })

    it.each([
      { name: 'key-expired', tries: 2, what: [] },
      { name: 'key-expired', tries: 3, what: ['retried-permanent-error'] },
      { name: 'outage', tries: 9, what: [] },
      { name: 'outage', tries: 10, what: ['endless-retries'] },
    ] as const)('$tries tries in vain, without a pause: $name', async ({ name, tries, what }) => {
      const suite: Suite = async (world) => {
        for (let sent = 0; sent < tries; sent++) {
          const outcome = await world.send({})
          if (outcome.kind === 'response' && outcome.status === 200) return
        }
      }
      const operation = name === 'outage' ? 'listPets' : undefined
      const { complaints } = await gradedCondition(suite, name, operation)
      expect(complaints.map((one) => one.what)).toEqual(what)
    })

    it('but not by pauses that are long enough, though tests repeat each other', async () => {
      for (const name of ['minute-limit', 'retry-after'] as const) {
        const operation = name === 'retry-after' ? 'listPets' : undefined
        const { complaints } = await gradedCondition(retrying(2_000, 5), name, operation)
        expect(complaints).toEqual([])
      }
    })

    it('but not by one that a client sent beside another (hedging)', async () => {
      const list = { url: '/v1/pets?limit=100' }
      const hedging: Suite = async (world) => {
        const outcome = await world.send(list)
        if (outcome.kind === 'response' && outcome.status === 200) return
        await world.sleep(2_000)
        await Promise.all([world.send(list), world.send(list)])
      }
      const { complaints } = await gradedCondition(hedging, 'retry-after', 'listPets')
      expect(complaints).toEqual([])
    })

    it('although the suite has not ended', async () => {
      const suite = retrying(100)
      const done = await runCondition(suite, 'retry-after', 'listPets')
      const slow = endedRun({ code: 143, end: 'too slow', ms: 12_300 })
      const graded = gradeCondition({ ...done, runs: [slow] }, await baselineRun(suite))
      expect(graded).toMatchObject({ state: 'fix' })
    })
  })

  it('grade a script that ends with an error alike in all languages, and not one that reported it', async () => {
    const done = await runCondition(politeSuite, 'outage', 'createPet')
    const baseline = { ...(await baselineRun(politeSuite)), isRunner: false }
    for (const errorOutput of ['Error: 503\n\nNode.js v24.1.0\n', 'panic: 503\n', '503\n']) {
      const run = endedRun({ code: 1, errorOutput })
      expect(gradeCondition({ ...done, runs: [run] }, baseline)).toMatchObject({
        state: 'review',
        complaints: [{ what: 'ends with an error' }],
      })
      const calls = [{ call: 'createPet', error: 'unavailable' }] as const
      const told = {
        ...run,
        calls: calls.map((one) => ({ id: undefined, ids: undefined, ...one })),
      }
      expect(gradeCondition({ ...done, runs: [told] }, baseline)).toMatchObject({ state: 'passed' })
    }
  })

  it('call a crash of the tests something to fix', async () => {
    const done = await runCondition(politeSuite, 'minute-limit')
    const baseline = await baselineRun(politeSuite)
    const output = '⎯ Unhandled Rejection ⎯\nTypeError: fetch failed\n at x'
    for (const command of [
      { code: 139, signal: 'SIGSEGV' },
      { code: 1, output },
    ] as const) {
      const graded = gradeCondition({ ...done, runs: [endedRun(command)] }, baseline)
      expect(graded).toMatchObject({ state: 'fix' })
    }
  })

  it('say what the sandbox saw of a client that had no response', async () => {
    const done = await runCondition(politeSuite, 'no-response', 'createPet')
    const baseline = await baselineRun(politeSuite)
    const gradeOf = (command: Parameters<typeof endedRun>[0], isOpen: boolean) =>
      gradeCondition(
        {
          ...done,
          runs: [endedRun(command)],
          abandoned: [{ call: 'POST /v1/pets', waitedMs: 5_012, isOpen }],
        },
        baseline,
      )
    expect(gradeOf({ code: 1 }, false)).toMatchObject({
      state: 'passed',
      summary: 'the suite fails, with exit code 1; the client closed the connection after 5 s',
    })
    const endless = {
      state: 'review',
      complaints: [{ what: 'waits without limit', text: expect.stringContaining('POST /v1/pets') }],
    }
    expect(gradeOf({ code: 143, end: 'too slow' }, true)).toMatchObject(endless)
    expect(gradeOf({ code: 143, end: 'too slow' }, false)).toMatchObject({ state: 'passed' })
    // The test runner gave up before the client did.
    for (const output of [
      'Error: Test timed out in 5000ms.',
      'Exceeded timeout of 5000 ms for a test',
      'Test timeout of 30000ms exceeded.',
      "'test timed out after 5000ms'",
      'Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called',
    ]) {
      expect(gradeOf({ code: 1, output }, false)).toMatchObject(endless)
    }
    for (const output of [
      'TimeoutError: The operation was aborted due to timeout',
      'AxiosError: timeout of 5000ms exceeded',
    ]) {
      expect(gradeOf({ code: 1, output }, false)).toMatchObject({ state: 'passed' })
    }
  })

  it('say that a client was still waiting where its suite has not ended (T7)', async () => {
    const patient: Suite = async (world) => {
      const outcome = await world.send({})
      if (outcome.kind === 'response' && outcome.status === 429) throw new Error('Still waiting')
    }
    const done = await runCondition(patient, 'day-limit')
    const slow = endedRun({ code: 143, end: 'too slow', ms: 12_300 })
    const graded = gradeCondition({ ...done, runs: [slow] }, await baselineRun(patient))
    expect(graded).toMatchObject({
      state: 'review',
      summary:
        'the suite was still running after 12 s, and was ended; the client was still waiting; Retry-After said 12 h; does not end in time',
    })
  })

  it('say that a client does not end in time under an outage, unless its suite sends many requests', async () => {
    const done = await runCondition(politeSuite, 'outage', 'listPets')
    const baseline = await baselineRun(politeSuite)
    const slow = endedRun({ code: 143, end: 'too slow', ms: 70_000 })
    const stateWith = (requests: number) =>
      gradeCondition({ ...done, runs: [slow] }, { ...baseline, requests }).state
    expect([stateWith(mostRetried), stateWith(mostRetried + 1)]).toEqual(['review', 'passed'])
  })

  it('say how many requests of runs that share a key were rejected', async () => {
    const { client } = await gradedCondition(rudeSuite, 'shared-key')
    expect(client.join('; ')).toMatch(/\d+ requests rejected; (?:no ban|the key is banned)/)
  })
})
