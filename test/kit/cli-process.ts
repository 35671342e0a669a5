import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { findNodes, type NodeProgram } from '../../scripts/find-node.ts'
import { childEnvironment } from './child-environment.ts'
import { expectFreshBuild } from './expect-fresh-build.ts'

expectFreshBuild()

/** The program as it is installed; `npm run build` makes what it needs. */
export const program = fileURLToPath(new URL('../../bin/petstore-sandbox', import.meta.url))

/** How to start the program. */
export interface CliOptions {
  /** The program to run, by default that of this package. */
  readonly program?: string
  /** The folder to start it in; an empty one by default. */
  readonly cwd?: string
  /** Variables beside PATH. */
  readonly env?: Readonly<Record<string, string>>
  /** The Node to run it by; by default that of the tests. */
  readonly node?: string
  /** What that Node is to do beside, such as `--trace-gc`. */
  readonly nodeFlags?: readonly string[]
}

/** How a run ended. */
export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Makes a folder that is removed at the end of the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'petstore-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Resolves with what `--port-file` has the program write. */
export async function portIn(file: string): Promise<string> {
  const changes = watch(dirname(file))
  onTestFinished(() => changes.close())
  return await new Promise((resolve) => {
    const look = (): void => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (text === '') return
      changes.close()
      resolve(text)
    }
    changes.on('change', (_kind, changed) => {
      if (changed === basename(file)) look()
    })
    look()
  })
}

/** A started program, which is ended at the end of the test at the latest. */
export class Cli {
  readonly process: ChildProcessWithoutNullStreams
  stdout = ''
  stderr = ''
  readonly #ended: Promise<CliResult>
  #notify = (): void => {}
  #hasEnded = false

  constructor(args: readonly string[], options: CliOptions = {}) {
    const { cwd, env, node = process.execPath, nodeFlags = [] } = options
    this.process = spawn(node, [...nodeFlags, options.program ?? program, ...args], {
      cwd: cwd ?? testFolder(),
      env: { ...childEnvironment, ...env },
    })
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#notify()
    })
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      this.#notify()
    })
    this.#ended = new Promise((resolve) => {
      this.process.once('close', (code) => {
        this.#hasEnded = true
        this.#notify()
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
      })
    })
    onTestFinished(async () => {
      this.process.kill('SIGKILL')
      await this.#ended
    })
  }

  /** Resolves when the program has ended, with all that it has written. */
  ended(): Promise<CliResult> {
    return this.#ended
  }

  /** Resolves with the first match in what the program prints. */
  async printed(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream])
      if (match !== null) return match
      if (this.#hasEnded) {
        throw new Error(`Cannot find ${pattern}: it ended after "${this.stdout}${this.stderr}"`)
      }
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
  }

  /** Asks the program to stop, and resolves when it has. */
  async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): Promise<CliResult> {
    this.process.kill(signal)
    return await this.#ended
  }
}

/** Runs the program to its end. */
export function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return new Cli(args, options).ended()
}

/** Starts the program on a free port and waits until it serves. */
export async function serveCli(
  args: readonly string[] = [],
  options?: CliOptions,
): Promise<{ readonly cli: Cli; readonly url: string }> {
  const cli = new Cli(['--port', '0', ...args], options)
  const [, url = ''] = await cli.printed(/(https?:\/\/\S+?:\d+)[/"][\s\S]*\n$/)
  return { cli, url }
}

/** The Nodes to run the program by: the one that runs the tests, and others on this machine. */
export function nodePrograms(): NodeProgram[] {
  const own = { path: process.execPath, version: process.version }
  return [...new Map([own, ...findNodes()].map((node) => [node.version, node])).values()]
}
