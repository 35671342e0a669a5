import { wholeSuite } from '../../src/checks/assumptions/assumption-search.ts'
import type { CommandResult } from '../../src/cli/check/commands.ts'
import { type ConditionName, conditions } from '../../src/cli/check/conditions.ts'
import {
  type Baseline,
  baselineOf,
  type GradedCondition,
  gradeCondition,
  type TriedCondition,
} from '../../src/cli/check/grade.ts'
import { type ClientBehaviour, observeRun } from '../../src/cli/check/observer.ts'
import type { SuiteRun } from '../../src/cli/check/suite.ts'
import type { OperationName } from '../../src/mock/api/endpoints.ts'
import type { GapSettings } from '../../src/mock/api/gaps.ts'
import type { Outcome } from '../../src/mock/api/message.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from './frozen-sandbox.ts'
import { requestOf, type TestRequest } from './send.ts'

/** What a simulated client has of its world. */
export interface World {
  send(request: TestRequest): Promise<Outcome>
  /** Waits on the sandbox's clock. */
  sleep(ms: number): Promise<void>
}

/** A suite that runs in the test's own process; it throws when a test of its own fails. */
export type Suite = (world: World) => Promise<void>

const excepted: ReadonlySet<string> = new Set()

/** What a suite shows when nothing goes wrong. */
export async function baselineRun(suite: Suite): Promise<Baseline> {
  const sandbox = frozenSandbox({ coverage: true })
  const resultOf = await observeRun(sandbox, { excepted })
  const run = await runIn(sandbox, suite)
  const runs = {
    ...{ runs: [run], tests: 0, isRunner: true },
    ...{ ms: run.command.ms, jobs: 1, maxJobs: 1, areDisturbed: false },
  }
  return { ...baselineOf(runs, [await resultOf({ oneClient: true })]), isServed: true }
}

/** Runs a condition with a suite, and grades it. */
export async function gradedCondition(
  suite: Suite,
  name: ConditionName,
  operation?: OperationName,
): Promise<GradedCondition & { readonly seen: ClientBehaviour }> {
  const done = await runCondition(suite, name, operation)
  return { ...gradeCondition(done, await baselineRun(suite)), seen: done.seen }
}

/** Runs a condition with a suite; one of several copies with as many, one after the other. */
export async function runCondition(
  suite: Suite,
  name: ConditionName,
  operation?: OperationName,
): Promise<TriedCondition> {
  const check = conditions[name]
  const choices = check.gaps.map(({ gap, value }) => [gap, value])
  const gaps: GapSettings = Object.fromEntries(choices)
  const sandbox = frozenSandbox({ coverage: true, gaps })
  const { requests } = await baselineRun(suite)
  const set = (): void => check.set(sandbox, { operation, requests, sandboxes: 1 })
  const resultOf = await observeRun(sandbox, {
    excepted,
    isMet: check.isMet,
    onMet() {
      if (check.afterwards === undefined) return
      check.afterwards(sandbox)
      // So that no more time passes than the client waits for.
      sandbox.clock.freeze()
    },
    onReset: set,
  })
  // Nobody moves the clock while an answer is late.
  if (name === 'slow') sandbox.clock.setSpeed(100_000)
  set()
  const first = await runIn(sandbox, suite)
  const others: SuiteRun[] = []
  for (let copy = 1; copy < check.copies; copy++) others.push(await runIn(sandbox, suite))
  const seen = await resultOf({ oneClient: true })
  return { name, operation, runs: [first, ...others], seen, abandoned: [] }
}

async function runIn(sandbox: Sandbox, suite: Suite): Promise<SuiteRun> {
  const world: World = {
    send: (request) => sandbox.handle(requestOf(request)),
    async sleep(ms) {
      await Promise.resolve()
      sandbox.clock.advance(ms)
    },
  }
  const hasPassed = await suite(world).then(
    () => true,
    () => false,
  )
  return endedRun({ code: hasPassed ? 0 : 1 })
}

/** A run whose single tests aren't known. */
export function endedRun(command: Partial<CommandResult>): SuiteRun {
  const { code = 0 } = command
  return {
    number: 1,
    command: {
      ...{ code, signal: undefined, end: 'by itself', output: '', errorOutput: '' },
      ...{ ms: startAt % 1_000, endedAt: 0 },
      ...command,
    },
    ...{ requests: 1, hasTests: false, failure: undefined, report: undefined },
    ...{ fragments: [], logs: [], calls: [] },
    results: new Map([[wholeSuite, code === 0 ? 'passed' : 'failed']]),
  }
}
