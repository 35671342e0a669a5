import { cut, printable, secondsText } from '../../checks/reports/text.ts'
import type { SandboxClient } from '../../client/sandbox-client.ts'
import { defaultGaps, formatValue, type GapName, type GapView } from '../../mock/api/gaps.ts'
import type { Pet } from '../../mock/api/pet.ts'
import { formatCount } from '../../mock/input/values.ts'
import type { RateLimitMode } from '../../mock/state/beginning.ts'
import type { ClockReading } from '../../mock/state/clock.ts'
import type { Fault } from '../../mock/state/faults.ts'
import type { KeyView } from '../../sandbox/controls/keys.ts'
import { type ScenarioName, scenarios } from '../../sandbox/controls/scenarios.ts'

/** Writes a clock's time and mode. */
export function clockText({ now, mode, speed }: ClockReading): string {
  const ways = {
    system: "the system's time",
    running: 'running',
    frozen: 'frozen',
    scaled: `${speed} times as fast`,
  }
  return `${now}, ${ways[mode]}`
}

/** Writes whether limits reject requests. */
export function limitsText(mode: RateLimitMode): string {
  return mode === 'enforce' ? 'enforced' : 'report-only: counted, and nothing is rejected'
}

/** Writes a fault with its settings, in the form that adds it. */
export function faultText({
  id: _id,
  fault,
  matched: _matched,
  applied: _applied,
  ...settings
}: Fault): string {
  return printable([fault, ...settingWords(settings)].join(' '))
}

/** Writes settings as `name=value` words. */
export function settingWords(settings: object): string[] {
  return Object.entries(settings).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join('-') : value}`,
  )
}

/** Describes a pet. */
export function petText({ id, name, categoryId, status }: Pet): string {
  const state = status === undefined ? 'without a status' : status
  return `pet ${id}: ${printable(cut(name))}, category ${categoryId}, ${state}`
}

/** Writes the state of a key, by the clock of its sandbox. */
export async function keySentence(
  key: KeyView,
  { clock }: Pick<SandboxClient, 'clock'>,
): Promise<string> {
  const { now } = await clock.read()
  const end = endOf(key)
  const left = ({ remaining, limit }: KeyView['minute']): string =>
    `${formatCount(remaining)} of ${formatCount(limit)}`
  const parts = [
    `${key.key} (${key.plan}): ${keyState(key, now)}${end === undefined ? '' : `, until ${end}`}`,
    `${left(key.minute)} requests left this minute, ${left(key.day)} today`,
    ...(key.expiresAt === undefined ? [] : [`expiry ${key.expiresAt}`]),
  ]
  return printable(parts.join('; '))
}

/** Returns when a key becomes active again, if that is known. */
function endOf({ state, bannedUntil, minute, day }: KeyView): string | undefined {
  if (state === 'exhausted') return day.remaining > 0 ? minute.resetAt : day.resetAt
  return state === 'banned' ? bannedUntil : undefined
}

/** Writes the state of a key, with the time until it ends. */
export function keyState(key: KeyView, now: string): string {
  const end = endOf(key)
  return `${key.state}${end === undefined ? '' : ` ${timeLeft(end, now)}`}`
}

/** Writes the time until an instant, in whole seconds and its two largest units. */
function timeLeft(instant: string, now: string): string {
  // Both are rounded up, so that a new ban is as long as it was set.
  const [end, from] = [instant, now].map((one) => Math.ceil(Date.parse(one) / 1000))
  return secondsText(1000 * ((end ?? 0) - (from ?? 0)), 2)
}

/** Describes the change by a scenario; for a single key, its new state. */
export async function scenarioSentence(
  name: ScenarioName,
  key: string | undefined,
  client: Pick<SandboxClient, 'clock' | 'keys'>,
): Promise<string> {
  const { of, summary } = scenarios[name]
  if (of === 'keys' && key !== undefined) {
    return `Set up ${name}: ${await keySentence(await client.keys.get(key), client)}`
  }
  const whose = of === 'everyone' ? '' : ` for ${key === undefined ? 'all keys' : printable(key)}`
  const what = summary.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
  return `Set up ${name}${whose}: ${what}`
}

/** Writes the current values of some gaps, with the default if it differs. */
export function gapSentence(inForce: GapView, names: readonly GapName[]): string {
  const parts = names.map((gap) => {
    const [value, standard] = [inForce[gap], formatValue(gap, defaultGaps[gap])]
    return `${gap} is ${value}${value === standard ? ', the default' : ` (default ${standard})`}`
  })
  return parts.join('; ')
}
