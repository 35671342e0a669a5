import { type GradedPaper, gradePapers, type SatPaper } from '../../src/cli/exam/grade.ts'
import type { RunPaperName } from '../../src/cli/exam/papers/paper-names.ts'
import { papers } from '../../src/cli/exam/papers/papers.ts'
import { type Usual, usualOf } from '../../src/cli/exam/usual.ts'
import { type Testimony, Witness } from '../../src/cli/exam/witness.ts'
import type { RowRun } from '../../src/cli/explore/suite/suite-runner.ts'
import type { OperationName } from '../../src/contract/endpoints.ts'
import type { GapSettings } from '../../src/contract/gap-settings.ts'
import type { Outcome } from '../../src/contract/message.ts'
import { wholeSuite } from '../../src/explore/suite/observation.ts'
import type { Sandbox } from '../../src/sandbox.ts'
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
export async function usualRun(suite: Suite): Promise<Usual> {
  const sandbox = frozenSandbox({ coverage: true })
  const witness = await Witness.of(sandbox, {
    excepted,
    isMet: () => true,
    onMet() {},
    onReset() {},
  })
  const run = await runIn(sandbox, suite)
  return usualOf([run], [await witness.testify()])
}

/** Sets a paper to a suite, and grades it. */
export async function gradedPaper(
  suite: Suite,
  name: RunPaperName,
  operation?: OperationName,
): Promise<GradedPaper & { readonly seen: Testimony }> {
  const sat = await sitPaper(suite, name, operation)
  const [graded] = gradePapers([sat], await usualRun(suite))
  if (graded === undefined) throw new Error('Cannot grade the paper: there is none')
  return { ...graded, seen: sat.seen }
}

/** Sets a paper to a suite. */
export async function sitPaper(
  suite: Suite,
  name: RunPaperName,
  operation?: OperationName,
): Promise<SatPaper> {
  const paper = papers[name]
  const choices = paper.gaps.map(({ gap, choice }) => [gap, choice])
  const gaps: GapSettings = Object.fromEntries(choices)
  const sandbox = frozenSandbox({ coverage: true, gaps })
  const set = (): void => paper.set(sandbox, operation)
  const witness = await Witness.of(sandbox, {
    excepted,
    isMet: paper.isMet,
    onMet() {
      if (paper.afterwards === undefined) return
      paper.afterwards(sandbox)
      // So that no more time passes than the client waits for.
      sandbox.clock.freeze()
    },
    onReset: set,
  })
  set()
  // Nobody moves the clock while an answer is late.
  if (name === 'slow') sandbox.clock.scale(100_000)
  const run = await runIn(sandbox, suite)
  const seen = await witness.testify({ oneClient: true })
  return { name, operation, run, seen }
}

async function runIn(sandbox: Sandbox, suite: Suite): Promise<RowRun> {
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
  return {
    number: 1,
    command: {
      code: hasPassed ? 0 : 1,
      signal: undefined,
      end: 'by itself',
      output: '',
      ms: startAt % 1_000,
    },
    requests: 1,
    hasTests: false,
    failure: undefined,
    report: undefined,
    mattering: [],
    effective: [],
    results: new Map([[wholeSuite, hasPassed ? 'passed' : 'failed']]),
  }
}
