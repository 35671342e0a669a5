import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { styleText } from 'node:util'
import { basePath, firstCommand } from '../../mock/api/endpoints.ts'
import { changedGaps } from '../../mock/api/gaps.ts'
import type { KeyView } from '../../sandbox/controls/keys.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { commandVariables, hasGroups, signalGroup, startError, stopSignal } from '../processes.ts'
import { keyTable } from '../remote/response-text.ts'
import { clockText, limitsText } from '../remote/sentences.ts'
import type { ServeSettings } from './serve-settings.ts'
import { startServing } from './start-serving.ts'

/**
 * Runs a server until it is stopped.
 *
 * @throws {@link CliError} if it can't start, or can't save its state at the end.
 */
export async function serve(settings: ServeSettings, version: string): Promise<void> {
  // Waits from the start: the parent may end while the server starts, and a reader of the port file may stop it at
  // once.
  const stopped = stopRequested()
  const { server, stop } = await startServing(settings)
  announce(server, settings, version)
  await stopped
  await stop()
  // A log that isn't read would keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

/** Resolves on a stop signal, or when the parent process has ended. */
export function stopRequested(): Promise<void> {
  return Promise.race([stopSignal(), parentGone(process.env)])
}

/** Announces the server in the format of the log. */
export function announce(server: RunningServer, settings: ServeSettings, version: string): void {
  if (settings.log === 'pretty') {
    process.stdout.write(banner(server, settings.static, version, process.stdout))
  }
  if (settings.log === 'json') {
    // A generated token is announced only here.
    const token =
      settings['control-token'] === undefined ? { controlToken: server.controlToken } : {}
    process.stdout.write(`${JSON.stringify({ listening: server.url, ...token })}\n`)
  }
}

/** Maximum number of keys, and of sandbox names, in the banner. */
const maxRows = 20

/** Writes the banner: addresses, keys, and a command to try. */
export function banner(
  { url, sandbox, pool, controlToken }: RunningServer,
  staticFolder: string | undefined,
  version: string,
  stream: NodeJS.WriteStream,
): string {
  const paint = (style: 'bold' | 'dim' | 'cyan', text: string): string =>
    styleText(style, text, { stream })
  const clock = sandbox.clock.read()
  const keys = sandbox.keys.list()
  const names = pool.names().slice(0, maxRows)
  const [usable] = keys.filter((key) => key.state === 'active')
  const facts = [
    ['API', paint('cyan', `${url}${basePath}`)],
    ['Console', `${url}/_sandbox/ui/`],
    ['Control', `${url}/_sandbox`],
    ...(staticFolder === undefined ? [] : [['Static', `${url}/  (${staticFolder})`]]),
    ...(controlToken === undefined ? [] : [['Token', controlToken]]),
    ...(names.length === 0 ? [] : [['Named', names.join(', ')]]),
    ['Pets', String(sandbox.pets.size)],
    ['Clock', clockText(clock)],
    ['Limits', limitsText(sandbox.rateLimits)],
    ['Gaps', gapsText(sandbox)],
  ].map(([name = '', value = '']) => `  ${paint('dim', name.padEnd(7))}  ${value}`)
  return [
    '',
    `  ${paint('bold', 'petstore-sandbox')} ${version}`,
    '',
    ...facts,
    '',
    ...keyLines(keys, clock.now, (text) => paint('dim', text)),
    ...(usable === undefined
      ? []
      : ['', `  ${paint('dim', 'Try')}`, `  ${firstCommand(url + basePath, usable.key)}`]),
    '',
    '',
  ].join('\n')
}

function gapsText({ gaps: chosen }: Sandbox): string {
  const changed = changedGaps(chosen)
  if (changed.length === 0) return 'all at their defaults'
  return changed.map(({ gap, value }) => `${gap}=${value}`).join(', ')
}

/** Returns the table of the first keys, indented like the banner. */
function keyLines(keys: readonly KeyView[], now: string, dim: (text: string) => string): string[] {
  const [head = '', ...lines] = keyTable(keys.slice(0, maxRows), now).split('\n')
  const rest = keys.length > maxRows ? [dim(`and ${keys.length - maxRows} more`)] : []
  return [dim(head), ...lines, ...rest].map((line) => `  ${line}`)
}

/**
 * Runs a command beside a sandbox, whose address and keys are in environment variables; stops the sandbox when the
 * command ends.
 *
 * @returns The command's exit code, or 128 plus the number of the signal that ended it, as in shells.
 * @throws {@link CliError} if the command can't be started, with the exit code of shells for that.
 */
export async function exec(
  settings: ServeSettings,
  [command = '', ...words]: readonly string[],
): Promise<number> {
  const { server, stop } = await startServing(settings)
  try {
    const beside = { ...server, gaps: settings.gap }
    return await run(command, words, { ...process.env, ...commandVariables(beside) })
  } finally {
    await stop()
  }
}

/** Signals that are passed on to the command and its child processes, which decide what to do. */
const passedSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const isInTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
    const detached = hasGroups && !isInTerminal
    let isSignalled = false
    // Before the command starts: a signal that comes as it does would end this process alone.
    for (const signal of passedSignals) {
      process.on(signal, () => {
        isSignalled = true
        if (detached) signalGroup(child, signal)
        // A terminal sends Ctrl+C to both.
        else if (signal !== 'SIGINT' || !isInTerminal) child.kill(signal)
      })
    }
    const child = spawn(command, words, { env, stdio: 'inherit', detached })
    child.on('error', (error) => reject(startError(command, error)))
    child.on('exit', (code, signal) => {
      // Shells let background commands ignore SIGINT.
      if (isSignalled && detached) signalGroup(child, 'SIGTERM')
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

/** Interval of checks that the parent is alive. */
const pollEveryMs = 500

/** Values of `npm_lifecycle_event` with which npm runs this program without passing signals on. */
const runByNpm: readonly (string | undefined)[] = ['start', 'npx']

/** Resolves when the parent process ends, if that is npm or npx. */
export function parentGone(environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    if (!runByNpm.includes(environment.npm_lifecycle_event)) return
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve()
    }, pollEveryMs)
    timer.unref()
  })
}
