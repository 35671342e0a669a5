import { styleText } from 'node:util'
import { basePath } from '../contract/endpoints.ts'
import { formatChoice, gapNames, gaps } from '../contract/gaps.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../state/keys.ts'
import { formatTable } from './table.ts'

/** How many keys the banner shows. */
const shownKeys = 20

/** Says what is served, with which keys, and how to try it. */
export function banner(
  url: string,
  sandbox: Sandbox,
  version: string,
  stream: NodeJS.WriteStream,
): string {
  const paint = (style: 'bold' | 'dim' | 'cyan', text: string): string =>
    styleText(style, text, { stream })
  const { now, mode, scale } = sandbox.clock.read()
  const keys = sandbox.keys.list()
  const [usable] = keys.filter((key) => stateOf(key, sandbox.clock.now()) === '')
  const facts = [
    ['API', paint('cyan', `${url}${basePath}`)],
    ['Pets', String(sandbox.pets.size).padEnd(1)],
    ['Clock', `${now} (${clockWords[mode]}${mode === 'scaled' ? `, ${scale} times as fast` : ''})`],
    ['Limits', sandbox.rateLimit],
    ['Gaps', changedGaps(sandbox)],
  ].map(([name = '', value = '']) => `  ${paint('dim', name.padEnd(6))}  ${value}`)
  return [
    '',
    `  ${paint('bold', 'petstore-sandbox')} ${version}`,
    '',
    ...facts,
    '',
    keyTable(keys, sandbox.clock.now(), (text) => paint('dim', text)),
    ...(usable === undefined ? [] : ['', `  ${paint('dim', 'Try')}`, `  ${curl(url, usable)}`]),
    '',
    '',
  ].join('\n')
}

const clockWords = {
  system: "the system's time",
  offset: 'runs on from there',
  frozen: 'stands still',
  scaled: 'scaled',
} as const

function changedGaps({ gaps: chosen }: Sandbox): string {
  const changed = gapNames.filter((name) => chosen[name] !== defaultOf(name))
  if (changed.length === 0) return 'all at their defaults'
  return changed.map((name) => `${name}=${formatChoice(name, chosen[name])}`).join(', ')
}

function defaultOf(name: (typeof gapNames)[number]): unknown {
  const gap = gaps[name]
  return gap.kind === 'choice' ? gap.choices[0] : gap.default
}

function keyTable(keys: readonly ApiKey[], now: number, dim: (text: string) => string): string {
  const rows = keys
    .slice(0, shownKeys)
    .map((key) => [
      key.key,
      key.plan,
      key.limits.minute.toLocaleString('en'),
      key.limits.day.toLocaleString('en'),
      stateOf(key, now),
    ])
  const table = formatTable([['Key', 'Plan', 'Per minute', 'Per day', ''], ...rows], '  ')
  const [head = '', ...lines] = table.split('\n')
  const rest = keys.length > shownKeys ? [dim(`  and ${keys.length - shownKeys} more`)] : []
  return [dim(head), ...lines, ...rest].join('\n')
}

/** What keeps a key from being served at first; `''` for nothing. */
function stateOf(key: ApiKey, now: number): string {
  if (key.isRevoked) return 'revoked'
  if (key.expiresAt !== undefined && key.expiresAt <= now) return 'expired'
  if (key.firstBanMs > 0) return 'banned from its first request'
  const { minute, day } = key.firstRemaining
  if (minute === 0 || day === 0) return `its first ${day === 0 ? 'day' : 'minute'} is used up`
  return ''
}

function curl(url: string, { key }: ApiKey): string {
  return `curl -i "${url}${basePath}/pets?limit=3" -H "Authorization: Bearer ${key}"`
}
