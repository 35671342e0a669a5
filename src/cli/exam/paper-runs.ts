import type { OperationName } from '../../contract/endpoints.ts'
import type { SuiteRunner } from '../explore/suite/suite-runner.ts'
import type { PaperOf, SatPaper } from './grade.ts'
import { runPaperNames } from './papers/paper-names.ts'
import { papers } from './papers/papers.ts'
import type { Usual } from './usual.ts'
import { Witness } from './witness.ts'

/** How much longer than usual a run may take, and how long at least, in milliseconds. */
const patience = { times: 3, leastMs: 10_000 } as const

/** Lists the papers of some names: those on operations once for each that the client calls. */
export function papersOf(
  names: readonly string[],
  { operations }: Pick<Usual, 'operations'>,
): readonly PaperOf[] {
  return runPaperNames
    .filter((name) => names.includes(name))
    .flatMap((name): readonly PaperOf[] => {
      const { per } = papers[name]
      if (per === 'suite') return [{ name, operation: undefined }]
      return [...operations].sort().map((operation) => ({ name, operation }))
    })
}

/** The operation without which a paper would show nothing of a client that doesn't call it. */
export function missingFor(
  { name }: PaperOf,
  { operations }: Pick<Usual, 'operations'>,
): OperationName | undefined {
  const { needs } = papers[name]
  return needs === 'any' || operations.has(needs) ? undefined : needs
}

/** Runs papers, several at a time. */
export class PaperRuns {
  readonly #suite: SuiteRunner
  readonly #usual: Usual
  readonly #excepted: ReadonlySet<string>

  /**
   * @param suite One that compares nothing.
   * @param excepted The rules whose findings don't count.
   */
  constructor(suite: SuiteRunner, usual: Usual, excepted: ReadonlySet<string>) {
    this.#suite = suite
    this.#usual = usual
    this.#excepted = excepted
  }

  /**
   * Runs all papers until one is stopped.
   *
   * @param onSat Is called with each that has ended.
   */
  async all(list: readonly PaperOf[], jobs: number, onSat: (sat: SatPaper) => void): Promise<void> {
    const waiting = [...list]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const sat = await this.#sit(next)
        if (sat.run.command.end === 'stopped') waiting.length = 0
        else onSat(sat)
      }
    }
    await Promise.all(Array.from({ length: jobs }, work))
  }

  async #sit({ name, operation }: PaperOf): Promise<SatPaper> {
    const paper = papers[name]
    const { ms, isParallel } = this.#usual
    const limitMs = Math.max(ms * patience.times, patience.leastMs) + paper.moreMs
    const witnesses: Witness[] = []
    const run = await this.#suite.run(paper.gaps, limitMs, async (sandbox) => {
      const witness = await Witness.of(sandbox, {
        excepted: this.#excepted,
        isMet: paper.isMet,
        onMet: () => paper.afterwards?.(sandbox),
        onReset: () => paper.set(sandbox, operation),
      })
      paper.set(sandbox, operation)
      witnesses.push(witness)
    })
    const [witness] = witnesses
    if (witness === undefined) throw new Error('Cannot judge a run: its sandbox was not prepared')
    const seen = await witness.testify({ oneClient: !isParallel })
    return { name, operation, run, seen }
  }
}
