import { describe, expect, it } from 'vitest'
import { noTimePassed } from '../../../../src/checks/audit/waiting.ts'
import type { CommandRun } from '../../../../src/cli/check/commands.ts'
import {
  type ConditionName,
  conditionNames,
  conditions,
} from '../../../../src/cli/check/conditions.ts'
import { gradeConditions } from '../../../../src/cli/check/grade.ts'
import type { OperationName } from '../../../../src/mock/api/endpoints.ts'
import {
  anxiousSuite,
  hastySuite,
  lookingOnce,
  politeSuite,
  resetSuite,
  rudePage,
  rudeSuite,
  secondsSuite,
} from '../../../kit/check-suites.ts'
import {
  baselineRun,
  gradedCondition,
  runCondition,
  type Suite,
} from '../../../kit/run-condition.ts'

/** What a client with bad manners, or a suite that is too strict, is told by each check: never that it has passed. */
const rudeGrades: Readonly<
  Record<
    ConditionName,
    {
      /** Of checks on operations. */
      readonly operation?: OperationName
      readonly suite?: Suite
      readonly grade: 'fix' | 'review' | 'info'
      readonly what: readonly string[]
    }
  >
> = {
  'minute-limit': { grade: 'fix', what: ['retry-too-early'] },
  'retry-after-ms': { grade: 'fix', what: ['retry-too-early'] },
  'reset-ms': { grade: 'fix', what: ['retry-too-early'] },
  'hidden-headers': { suite: rudePage, grade: 'fix', what: ['retry-too-early'] },
  'day-limit': { grade: 'fix', what: ['retry-too-early'] },
  'shared-key': { grade: 'fix', what: ['retry-too-early'] },
  banned: { grade: 'fix', what: ['request-while-banned'] },
  'key-expired': { grade: 'fix', what: ['retried-permanent-error'] },
  outage: { operation: 'getPet', grade: 'review', what: ['no-backoff'] },
  'retry-after': { operation: 'listPets', grade: 'fix', what: ['retry-too-early'] },
  'lost-response': { operation: 'createPet', grade: 'fix', what: ['duplicate-create'] },
  'late-list': { suite: lookingOnce, grade: 'review', what: ['duplicate-create'] },
  'no-response': { operation: 'createPet', grade: 'fix', what: ['duplicate-create'] },
  'invalid-json': { operation: 'createPet', grade: 'fix', what: ['duplicate-create'] },
  flaky: { suite: hastySuite, grade: 'info', what: [] },
  slow: { suite: anxiousSuite, grade: 'review', what: ['slow'] },
  'clock-ahead': { grade: 'fix', what: ['retry-too-early'] },
  'clock-behind': { grade: 'fix', what: ['retry-too-early'] },
  'sunset-eve': { suite: anxiousSuite, grade: 'review', what: ['sunset-eve'] },
  'sunset-day': { grade: 'review', what: ['sunset-day'] },
  'sunset-after': { grade: 'review', what: ['sunset-after'] },
  'large-ids': { grade: 'fix', what: ['id-precision-loss'] },
}

describe('conditions', () => {
  it.each(conditionNames.map((name) => ({ name, ...rudeGrades[name] })))(
    '$name grades a rude client: $grade',
    async ({ name, operation, suite = rudeSuite, grade, what }) => {
      const graded = await gradedCondition(suite, name, operation)
      expect(graded.complaints.map((one) => one.what)).toEqual(expect.arrayContaining([...what]))
      expect(graded).toMatchObject({ grade })
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
  it.each(politely)('$name $operation has no complaint about a polite client', async (check) => {
    const { complaints, met } = await gradedCondition(politeSuite, check.name, check.operation)
    expect(complaints).toEqual([])
    const isSure =
      !['getPet', 'page'].includes(conditions[check.name].needs) && check.name !== 'flaky'
    if (isSure) expect(met).toBeGreaterThan(0)
  })

  it.each(conditionNames.filter((name) => conditions[name].per === 'suite'))(
    '%s does not take the next test for a retry',
    async (name) => {
      const { complaints } = await gradedCondition(hastySuite, name)
      expect(complaints.filter(({ what }) => what !== name)).toEqual([])
    },
  )

  it('says nothing of clocks where the suite fails with the same clocks, too', async () => {
    const done = await Promise.all([
      runCondition(hastySuite, 'minute-limit'),
      runCondition(hastySuite, 'clock-ahead'),
    ])
    const usual = await baselineRun(hastySuite)
    expect(gradeConditions(done, usual).map(({ grade }) => grade)).toEqual(['info', 'info'])
    expect(gradeConditions(done.slice(1), usual)).toMatchObject([
      { grade: 'review', complaints: [{ what: 'clock-ahead' }] },
    ])
  })

  it('find a single wait that took milliseconds for seconds', async () => {
    const graded = await gradedCondition(secondsSuite, 'retry-after-ms')
    expect(graded).toMatchObject({ grade: 'review', complaints: [{ what: 'retry-after-misread' }] })
    expect(await gradedCondition(secondsSuite, 'minute-limit')).toMatchObject({ grade: 'passed' })
  })

  it('name what makes a suite fail, although it breaks a rule where it passes, too', async () => {
    const done = await Promise.all([
      runCondition(resetSuite, 'minute-limit'),
      runCondition(resetSuite, 'reset-ms'),
    ])
    const graded = gradeConditions(done, await baselineRun(resetSuite))
    expect(graded.map(({ complaints }) => complaints.map(({ what }) => what))).toEqual([
      ['retry-too-early'],
      ['retry-too-early', 'reset-ms'],
    ])
  })

  /** What Node prints at the end of a process that nothing caught an exception in. */
  const uncaught = (error: string): string =>
    `/app/suite.js:3\n    Error.captureStackTrace(err);\n          ^\n\n${error}\n    at parse (suite.js:3:1)\n\nNode.js v24.1.0\n`
  const ends: readonly {
    readonly command: Partial<CommandRun>
    readonly tests?: number
    readonly grade: string
    readonly summary: string
    readonly failure?: { readonly message: string }
  }[] = [
    {
      command: { code: 139, signal: 'SIGSEGV' },
      grade: 'fix',
      summary: 'the suite crashes by SIGSEGV',
    },
    {
      // As many tests have failed, says Mocha.
      command: { code: 140 },
      grade: 'info',
      summary: 'the suite fails, with exit code 140; 1 request was retried',
    },
    {
      command: { code: 1, output: uncaught('SyntaxError: Unexpected token') },
      tests: 2,
      grade: 'fix',
      summary: 'the suite ends with an uncaught SyntaxError: Unexpected token',
    },
    {
      command: { code: 1, output: uncaught('Error: 503') },
      grade: 'review',
      summary: 'the suite ends with an uncaught Error: 503',
      failure: { message: 'Error: 503' },
    },
    {
      command: { code: 1, output: '⎯ Unhandled Rejection ⎯\nTypeError: fetch failed\n at x' },
      tests: 2,
      grade: 'fix',
      summary: 'the suite ends with an uncaught TypeError: fetch failed',
    },
    {
      command: { code: 1, output: uncaught('AssertionError [ERR_ASSERTION]: 1 !== 2') },
      tests: 2,
      grade: 'info',
      summary: 'the suite fails, with exit code 1; 1 request was retried',
    },
    {
      command: { code: 143, end: 'too slow', ms: 12_300 },
      grade: 'review',
      summary: 'the suite was still running after 12 s, and was ended',
    },
  ]
  it.each(ends)('are graded $grade where the command ends with $command', async (row) => {
    const done = await runCondition(politeSuite, 'minute-limit')
    const [run] = done.runs
    const ended = { ...run, command: { ...run.command, ...row.command } }
    const baseline = { ...(await baselineRun(politeSuite)), tests: row.tests ?? 0 }
    const [graded] = gradeConditions([{ ...done, runs: [ended] }], baseline)
    expect(graded).toMatchObject({
      grade: row.grade,
      summary: expect.stringContaining(row.summary),
      ...(row.failure === undefined ? {} : { failure: row.failure }),
    })
  })

  it('say what the sandbox saw of a client that had no response', async () => {
    const done = await runCondition(politeSuite, 'no-response', 'createPet')
    const baseline = await baselineRun(politeSuite)
    const call = 'POST /v1/pets'
    const graded = gradeConditions(
      [
        { ...done, abandoned: [{ call, waitedMs: 5_012, isWaitingAtEnd: false }] },
        { ...done, abandoned: [{ call, waitedMs: 4_012, isWaitingAtEnd: true }] },
      ],
      baseline,
    )
    const failed = 'the suite fails, with exit code 1'
    expect(graded).toMatchObject([
      {
        grade: 'info',
        summary: `${failed}; the client closed the connection after 5 s; no request was retried`,
      },
      {
        grade: 'review',
        summary: `${failed}; the client was still waiting when the process ended`,
        complaints: [
          {
            text: 'The first request gets no response. Here the client was still waiting when the process ended, for POST /v1/pets.',
            advice: 'Set a time limit for each request, such as AbortSignal.timeout(5_000).',
          },
        ],
      },
    ])
  })

  it('say of a client that closed the connection what it did, and ask for no time limit', async () => {
    const done = await runCondition(politeSuite, 'no-response', 'listPets')
    const [run] = done.runs
    const slow = {
      ...run,
      command: { ...run.command, code: 143, end: 'too slow', ms: 10_000 },
    } as const
    const call = 'GET /v1/pets?limit=100'
    const abandoned = [{ call, waitedMs: 7_512, isWaitingAtEnd: false }]
    const [graded] = gradeConditions(
      [{ ...done, runs: [slow], abandoned }],
      await baselineRun(politeSuite),
    )
    expect(graded).toMatchObject({ grade: 'info', complaints: [] })
    expect(graded?.client).toContain(
      'the client closed the connection after 7.5 s, and tried again',
    )
  })

  it('do not take a connection of parallel tests for a client that knows, where runs share a key', async () => {
    const done = await runCondition(rudeSuite, 'shared-key')
    const baseline = await baselineRun(rudeSuite)
    const banned = { ...done, seen: { ...done.seen, isBanned: true } }
    const [serial] = gradeConditions([banned], baseline)
    const [parallel] = gradeConditions([banned], { ...baseline, isParallel: true })
    expect(serial).toMatchObject({ grade: 'fix' })
    expect(parallel?.complaints.map(({ what }) => what)).toContain('retry-too-early')
    const twice = new Map(done.seen.findings.flatMap(({ proof }) => proof.map((one) => [one, 2])))
    const [repeating] = gradeConditions([banned], { ...baseline, sent: twice, isParallel: true })
    const ofOthers = ['retry-too-early', 'request-while-banned', 'request-while-limited']
    for (const { what } of repeating?.complaints ?? []) expect(ofOthers).not.toContain(what)
  })

  it('say that a client waits for as long as Retry-After says, where its suite has not ended', async () => {
    const patient: Suite = async (world) => {
      const outcome = await world.send({})
      if (outcome.kind === 'response' && outcome.status === 429) throw new Error('Still waiting')
    }
    const done = await runCondition(patient, 'day-limit')
    const [run] = done.runs
    const slow = {
      ...run,
      command: { ...run.command, code: 143, end: 'too slow', ms: 12_300 },
    } as const
    const [graded] = gradeConditions([{ ...done, runs: [slow] }], await baselineRun(patient))
    expect(graded).toMatchObject({
      grade: 'review',
      summary:
        "the suite was still running after 12 s, and was ended; the client waits for Retry-After's 12 h",
    })
  })

  it('mention that no time passes between the tries of a client whose sleep is replaced', async () => {
    const done = await runCondition(rudeSuite, 'minute-limit')
    const message = `Sent GET /pets again: ${noTimePassed}.`
    const findings = done.seen.findings.map(({ finding, proof }) => ({
      finding: { ...finding, severity: 'info' as const, message },
      proof,
    }))
    const still = { ...done, seen: { ...done.seen, findings } }
    const [graded] = gradeConditions([still], await baselineRun(rudeSuite))
    expect(graded?.client).toContain(
      "no time passed between the tries, neither on the sandbox's clock nor for real; if the tests replace the sleep, let them move the clock",
    )
  })

  it('say how many requests of runs that share a key were rejected', async () => {
    const { client, summary, grade } = await gradedCondition(rudeSuite, 'shared-key')
    expect(client.join('; ')).toMatch(/\d+ requests rejected; .*(?:no ban|the key is banned)/)
    expect({ grade, summary }).toMatchObject({ grade: 'fix' })
  })
})
