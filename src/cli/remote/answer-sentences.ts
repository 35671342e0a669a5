import type { Pet } from '../../contract/pet.ts'
import { type Limits, windowNames } from '../../contract/plans.ts'
import { type ScenarioName, scenarios } from '../../control/controls/scenarios.ts'
import type { KeyView } from '../../control/views/key-view.ts'
import { scenarioTexts } from '../../control/views/scenario-texts.ts'
import { formatDuration } from '../../input/duration.ts'
import type { ClockReading } from '../../state/clock.ts'
import type { Fault } from '../../state/faults.ts'
import { cut } from '../terminal/cut.ts'
import { printable } from '../terminal/printable.ts'
import type { Scene } from './action.ts'
import type { Client } from './connect.ts'

/** Says what a clock shows, and how it runs. */
export function clockText({ now, mode, scale }: ClockReading): string {
  const ways = {
    system: "the system's time",
    offset: 'running',
    frozen: 'frozen',
    scaled: `${scale} times as fast`,
  }
  return `${now}, ${ways[mode]}`
}

/** Says what a fault does, with its settings as they are written to add it. */
export function faultText({
  id: _id,
  fault,
  seen: _seen,
  struck: _struck,
  ...settings
}: Fault): string {
  return printable([fault, ...settingWords(settings)].join(' '))
}

/** Writes settings as `name=value` words. */
export function settingWords(settings: object): string[] {
  return Object.entries(settings).map(([name, value]) => {
    const isRange = Array.isArray(value)
    return `${name}=${isRange ? value.join('-') : value}`
  })
}

/** Says which pet it is. */
export function petText({ id, name, categoryId, status }: Pet): string {
  const state = status === undefined ? 'without a status' : status
  return `pet ${id}: ${printable(cut(name))}, category ${categoryId}, ${state}`
}

/** Says of a number that was written without a unit which one it was taken for; `''` where there was a unit. */
export function unitNote(text: unknown): string {
  return typeof text === 'string' && /^\d+$/.test(text) ? ' (a bare number is milliseconds)' : ''
}

/**
 * Says how a key stands, by the clock of its sandbox.
 *
 * @param told The windows of which it is said in any case what they have left.
 */
export async function keySentence(
  key: KeyView,
  { client }: { readonly client: Client },
  told: readonly (keyof Limits)[] = [],
): Promise<string> {
  const { now } = await client.clock.read()
  const name = `${printable(key.key)} (${key.plan})`
  const { state, bannedUntil, expiresAt } = key
  const left = told.length === 0 ? '' : `; ${windowsText(key, now, told)}`
  if (state === 'revoked') return `${name} is revoked${left}`
  if (state === 'expired') return `${name} has expired, at ${expiresAt}${left}`
  const expires = expiresAt === undefined ? '' : `; it expires at ${expiresAt}`
  if (bannedUntil === undefined) {
    const isUsedUp = (window: keyof Limits): boolean => key[window].remaining === 0
    const windows = windowNames.filter((window) => isUsedUp(window) || told.includes(window))
    return `${name}: ${windowsText(key, now, windows.some(isUsedUp) ? windows : windowNames)}${expires}`
  }
  const until = momentText(bannedUntil, now)
  return `${name} is banned for ${timeLeft(bannedUntil, now)}, until ${until}${left}${expires}`
}

const periods = { minute: 'this minute', day: 'today' } as const satisfies Record<
  keyof Limits,
  string
>

/** Says what a key has left in some of its windows. */
function windowsText(key: KeyView, now: string, windows: readonly (keyof Limits)[]): string {
  const texts = windows.map((window, index) => {
    const { remaining, limit, resetAt } = key[window]
    const of = `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')}`
    const until = remaining === 0 ? `, until ${momentText(resetAt, now)}` : ''
    return `${of}${index === 0 ? ' requests left' : ''} ${periods[window]}${until}`
  })
  return texts.join(windows.some((window) => key[window].remaining === 0) ? '; ' : ', ')
}

/** Writes an instant as a time of day where that is on the same day. */
function momentText(instant: string, now: string): string {
  const [day = '', time = ''] = instant.split('T')
  return now.startsWith(day) ? time : instant
}

/** Writes how long it is until an instant, in whole seconds and its two largest units. */
export function timeLeft(instant: string, now: string): string {
  const seconds = Math.floor((Date.parse(instant) - Date.parse(now)) / 1000)
  const [text = ''] = /^(?:\d+[a-z]+){1,2}/.exec(formatDuration(Math.max(1, seconds) * 1000)) ?? []
  return text
}

/** Says what a scenario has changed; of a single key, where that stands now. */
export async function scenarioSentence(
  name: ScenarioName,
  key: string | undefined,
  scene: Scene,
): Promise<string> {
  const { of, ...scenario } = scenarios[name]
  if (of === 'keys' && key !== undefined) {
    const told = 'window' in scenario && scenario.window !== undefined ? [scenario.window] : []
    return `Set up ${name}: ${await keySentence(await scene.client.keys.get(key), scene, told)}`
  }
  const whose = of === 'everyone' ? '' : ` for ${key === undefined ? 'all keys' : printable(key)}`
  const what = scenarioTexts[name]
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
  return `Set up ${name}${whose}: ${what}`
}
