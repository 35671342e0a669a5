import { styleText } from 'node:util'
import { basePath } from '../../contract/endpoints.ts'
import { changedGaps } from '../../contract/gap-settings.ts'
import type { KeyView } from '../../control/keys.ts'
import { formatTable } from '../../reports/text.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { stopSignal } from '../processes/stop-signal.ts'
import { parentGone } from './parent-gone.ts'
import type { ServeSettings } from './serve-settings.ts'
import { startServing } from './start-serving.ts'

/**
 * Serves a sandbox until the process is told to stop.
 *
 * @throws {@link CliError} when it can't start, or can't save its state at the end.
 */
export async function serve(settings: ServeSettings, version: string): Promise<void> {
  // From the start, since the parent may end while the server starts.
  const orphaned = parentGone(process.env)
  const { server, log, writePort, end, finish } = await startServing(settings)
  // Before anybody can learn of the server and stop it.
  const stopped = Promise.race([stopSignal(), orphaned])
  await writePort()
  announce(server, settings, version)
  await stopped
  end()
  await server.close()
  await finish()
  log?.flush()
  // Output that nobody reads would keep the process alive.
  setTimeout(() => process.exit(), flushMs).unref()
}

/** Says what is served, as the log's format has it. */
export function announce(server: RunningServer, settings: ServeSettings, version: string): void {
  if (settings.log === 'pretty') {
    process.stdout.write(
      banner({ ...server, staticFolder: settings.static, version }, process.stdout),
    )
  }
  if (settings.log === 'json') {
    // A generated token is announced only here.
    const token =
      settings['control-token'] === undefined ? { controlToken: server.controlToken } : {}
    process.stdout.write(`${JSON.stringify({ listening: server.url, ...token })}\n`)
  }
}

/** How long the log's reader may take to read the rest. */
const flushMs = 500

/** How many keys, and names of sandboxes, the banner shows. */
const maxRows = 20

/** What the banner shows. */
export interface BannerFacts {
  readonly url: string
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly controlToken: string | undefined
  readonly staticFolder: string | undefined
  readonly version: string
}

/** Says what is served, with which keys, and how to try it. */
export function banner(
  { url, sandbox, pool, controlToken, staticFolder, version }: BannerFacts,
  stream: NodeJS.WriteStream,
): string {
  const paint = (style: 'bold' | 'dim' | 'cyan', text: string): string =>
    styleText(style, text, { stream })
  const { now, mode, scale } = sandbox.clock.read()
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
    ['Clock', `${now} (${clockWords[mode]}${mode === 'scaled' ? `, ${scale} times as fast` : ''})`],
    ['Limits', sandbox.rateLimit],
    ['Gaps', gapsText(sandbox)],
  ].map(([name = '', value = '']) => `  ${paint('dim', name.padEnd(7))}  ${value}`)
  return [
    '',
    `  ${paint('bold', 'petstore-sandbox')} ${version}`,
    '',
    ...facts,
    '',
    keyTable(keys, (text) => paint('dim', text)),
    ...(usable === undefined ? [] : ['', `  ${paint('dim', 'Try')}`, `  ${curl(url, usable)}`]),
    '',
    '',
  ].join('\n')
}

const clockWords = {
  system: "the system's time",
  offset: 'runs on from there',
  frozen: 'frozen',
  scaled: 'scaled',
} as const

function gapsText({ gaps: chosen }: Sandbox): string {
  const changed = changedGaps(chosen)
  if (changed.length === 0) return 'all at their defaults'
  return changed.map(({ gap, choice }) => `${gap}=${choice}`).join(', ')
}

function keyTable(keys: readonly KeyView[], dim: (text: string) => string): string {
  const rows = keys
    .slice(0, maxRows)
    .map((key) => [
      key.key,
      key.plan,
      key.limits.minute.toLocaleString('en'),
      key.limits.day.toLocaleString('en'),
      stateText(key),
    ])
  const table = formatTable([['Key', 'Plan', 'Per minute', 'Per day', ''], ...rows], '  ')
  const [head = '', ...lines] = table.split('\n')
  const rest = keys.length > maxRows ? [dim(`  and ${keys.length - maxRows} more`)] : []
  return [dim(head), ...lines, ...rest].join('\n')
}

/** Why a key isn't served; `''` if it is. */
function stateText({ state, minute, day }: KeyView): string {
  if (state === 'banned') return 'banned from its first request'
  if (state !== 'exhausted') return state === 'active' ? '' : state
  return `its first ${day.remaining === 0 && minute.remaining > 0 ? 'day' : 'minute'} is used up`
}

function curl(url: string, { key }: KeyView): string {
  return `curl -i "${url}${basePath}/pets?limit=3" -H "Authorization: Bearer ${key}"`
}
