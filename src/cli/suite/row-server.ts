import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { GapSettings } from '../../contract/gap-settings.ts'
import { formatChoice } from '../../contract/gaps.ts'
import type { Counterfactual } from '../../control/reports.ts'
import { coverageFragment } from '../../coverage/coverage-report.ts'
import type { GapChoice, Row } from '../../explore/choices.ts'
import {
  type AskedFacts,
  type AskedFile,
  askedFile,
  factName,
  waitsOf,
  wholeSuite,
} from '../../explore/suite/observation.ts'
import { InputError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import type { Sandbox } from '../../sandbox.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { type RunningServer, startServer } from '../../server/start-server.ts'
import { sharedLimits } from '../../state/limits.ts'
import { readJsonFile } from '../files.ts'
import { commandVariables } from '../processes.ts'
import type { ServeSettings } from '../serve/serve-settings.ts'
import { sandboxOptions } from '../serve/start-serving.ts'
import { limitsIn } from '../settings.ts'

/** The sandbox of one run. */
export interface RowSandbox {
  readonly name: string
  readonly sandbox: Sandbox
  /** What the command is told of it. */
  readonly variables: NodeJS.ProcessEnv
}

/** What a sandbox was asked under a row. */
export interface Asked {
  readonly requests: number
  readonly mattering: readonly GapChoice[]
  readonly effective: Row
  readonly facts: ReadonlyMap<string, AskedFacts>
}

/** Serves a sandbox for each run, all in this process. */
export class RowServer {
  readonly #server: RunningServer
  readonly #settings: ServeSettings

  private constructor(server: RunningServer, settings: ServeSettings) {
    this.#server = server
    this.#settings = settings
  }

  /** @throws {@link CliError} for a seed file that can't be used. */
  static async start(settings: ServeSettings): Promise<RowServer> {
    const defaults = await sandboxOptions(settings)
    const pool = new SandboxPool({ defaults, limits: limitsIn(sharedLimits, settings.limit) })
    const server = await startServer({ pool, sandbox: pool.createUnnamed(), port: 0 })
    return new RowServer(server, settings)
  }

  /** Makes the sandbox of a run. */
  open(name: string, row: Row): RowSandbox {
    const { gap, scenario } = this.#settings
    const gaps: GapSettings = { ...gap, ...settingsOf(row) }
    const { sandbox } = this.#server.pool.create({ name, gaps })
    for (const one of scenario) sandbox.scenario(one)
    const url = `${this.#server.url}/sandboxes/${name}`
    const { controlToken } = this.#server
    return { name, sandbox, variables: commandVariables({ url, sandbox, controlToken, gaps }) }
  }

  /**
   * Drops the sandbox of a run, and says what it was asked.
   *
   * @param offered The choices that may be tried; nothing is compared where there are none.
   */
  async close(
    { name, sandbox }: RowSandbox,
    row: Row,
    offered: readonly GapChoice[],
  ): Promise<Asked> {
    // Where it was asked more than it remembers, everything may matter.
    const unknown = { requests: 1, mattering: offered, effective: row, facts: new Map() }
    try {
      if (offered.length === 0)
        return { requests: 0, mattering: [], effective: [], facts: new Map() }
      const waits = waitsOf(sandbox.journal.entries(), sandbox.clock.now())
      const found = await sandbox.counterfactual()
      if (found.earlier !== undefined) return unknown
      const asked = askedOf(found, row, offered)
      const facts = new Map(asked.requests === 0 ? [] : [[wholeSuite, { ...asked, waits }]])
      return { ...asked, facts }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return unknown
    } finally {
      this.#server.pool.delete(name)
    }
  }

  /** How many requests came to no run's sandbox, as far as its journal goes back. */
  strays(): number {
    return this.#server.sandbox.journal.entries().length
  }

  /** Stops to serve. */
  async stop(): Promise<void> {
    await this.#server.close()
  }
}

/** The choices of a row, as they are set. */
function settingsOf(row: Row): GapSettings {
  const settings = row.map(({ gap, choice }) => [gap, formatChoice(gap, choice)])
  return Object.fromEntries(settings)
}

/** @param offered The choices that may be tried. */
function askedOf(
  { exchanges, gaps }: Counterfactual,
  row: Row,
  offered: readonly GapChoice[],
): Omit<Asked, 'facts'> {
  const matters = ({ gap, choice }: GapChoice): boolean =>
    gaps[gap]?.[String(formatChoice(gap, choice))]?.matters === true
  // Another choice of the same gap stands for that of the baseline where that is none of those that were compared.
  const isEffective = ({ gap }: GapChoice): boolean =>
    Object.values(gaps[gap] ?? {}).some((effect) => effect.matters)
  return {
    requests: exchanges,
    mattering: offered.filter(matters),
    effective: row.filter(isEffective),
  }
}

/**
 * Says what the sandboxes in a command's own processes were asked: the fixtures of test runners tell which choices matter
 * to each test. Of other sandboxes the coverage, which they write to the same folder, names the choices on which an answer
 * depended.
 *
 * @param offered The choices that may be tried.
 */
export async function askedInProcess(
  folder: string,
  row: Row,
  offered: readonly GapChoice[],
): Promise<Asked> {
  const names = namesIn(folder)
  const told = await Promise.all(
    names
      .filter((name) => name.startsWith('asked-'))
      .map((name) => readJsonFile(join(folder, name), (found) => readInput(askedFile, found))),
  )
  const fragments = await Promise.all(
    names
      .filter((name) => !name.startsWith('asked-'))
      .map((name) => readFragment(join(folder, name))),
  )
  const isTold = (test: string | undefined): boolean =>
    told.some((one) => one.test === test && one.mattering !== undefined)
  const cells = fragments.flatMap(({ tiers }) => tiers.gaps?.cells ?? [])
  const read = new Set(
    cells.filter(({ met, by }) => met && !isTold(by)).map(({ cell }) => cell.replace(/=.*/, '')),
  )
  const facts = new Map(told.map((one) => [factName(one.test), factsOf(one, row, offered)]))
  const all = [...facts.values()]
  const matters = new Set(all.flatMap(({ mattering = [] }) => mattering))
  const hasEffect = new Set(all.flatMap(({ effective }) => effective))
  return {
    requests: read.size + told.reduce((sum, { requests }) => sum + requests, 0),
    mattering: offered.filter((one) => read.has(one.gap) || matters.has(one)),
    effective: row.filter((one) => read.has(one.gap) || hasEffect.has(one)),
    facts,
  }
}

function factsOf(
  { mattering, waits }: AskedFile,
  row: Row,
  offered: readonly GapChoice[],
): AskedFacts {
  if (mattering === undefined) return { mattering, effective: row, waits }
  const choices = new Set(mattering)
  const gaps = new Set(mattering.map((choice) => choice.replace(/=.*/, '')))
  return {
    mattering: offered.filter(({ gap, choice }) =>
      choices.has(`${gap}=${formatChoice(gap, choice)}`),
    ),
    // Another choice of the same gap stands for the default where that is none of those that were compared.
    effective: row.filter(({ gap }) => gaps.has(gap)),
    waits,
  }
}

function readFragment(file: string) {
  return readJsonFile(file, (found) => readInput(coverageFragment, found))
}

/** The files in a folder; one whose name begins with a dot was not finished. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch {
    return []
  }
}
