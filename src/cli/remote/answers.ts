import { styleText } from 'node:util'
import type { GapView } from '../../contract/gap-settings.ts'
import { defaultGaps, formatChoice, gapNames } from '../../contract/gaps.ts'
import { toJson } from '../../contract/json.ts'
import type { Pet } from '../../contract/pet.ts'
import { type Limits, windowNames } from '../../contract/plans.ts'
import type { KeyView } from '../../control/keys.ts'
import { type ScenarioName, scenarios, scenarioTexts } from '../../control/scenarios.ts'
import { formatDuration } from '../../input/duration.ts'
import { isRecord } from '../../input/record.ts'
import { cut, formatTable, printable, wrap } from '../../reports/text.ts'
import type { ClockReading } from '../../state/clock.ts'
import type { Fault } from '../../state/faults.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import type { Client, RemotePlace } from './connect.ts'

/** Where an answer is shown, and what it is about. */
export interface Scene {
  readonly client: Client
  readonly place: RemotePlace
  readonly stream: NodeJS.WriteStream
  /** The words as they were written. */
  readonly written: Readonly<Record<string, unknown>>
}

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
function settingWords(settings: object): string[] {
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
function timeLeft(instant: string, now: string): string {
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

/** Shows an answer of the control API as a table, with a row for each object. */
export function answerTable(answer: unknown): string {
  const rows = listOf(answer).filter(isRecord)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return table(names, rows, (row) => names.map((name) => row[name]))
}

/** Shows pets. */
export function petTable(pets: Pet | readonly Pet[]): string {
  const names = ['id', 'name', 'categoryId', 'status']
  return table(names, listOf(pets), ({ id, name, categoryId, status }) => [
    id,
    cut(name),
    categoryId,
    status,
  ])
}

/** Shows faults, with their settings as they are written to add them. */
export function faultTable(faults: Fault | readonly Fault[]): string {
  const names = ['id', 'fault', 'settings', 'seen', 'struck']
  return table(names, listOf(faults), ({ id, fault, seen, struck, ...settings }) => {
    return [id, fault, settingWords(settings).join(' '), seen, struck]
  })
}

/** Shows the choices in force at some gaps, with the default where it differs. */
export function choiceTable(inForce: GapView, names: readonly string[] = gapNames): string {
  const shown = gapNames.filter((name) => names.includes(name))
  return table(['gap', 'choice', 'default'], shown, (name) => {
    const usual = formatChoice(name, defaultGaps[name])
    return [name, inForce[name], inForce[name] === usual ? '' : usual]
  })
}

function listOf<Item>(answer: Item | readonly Item[]): readonly Item[] {
  return isList(answer) ? answer : [answer]
}

function isList<Item>(answer: Item | readonly Item[]): answer is readonly Item[] {
  return Array.isArray(answer)
}

function table<Item>(
  names: readonly string[],
  items: readonly Item[],
  cells: (item: Item) => readonly unknown[],
): string {
  if (items.length === 0) return 'None'
  return formatTable([names, ...items.map((item) => cells(item).map(textOf).map(printable))])
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? toJson(value) : String(value)
}

/** How many characters of a key are shown, be there room for them or not. */
const shortestKey = 12

/**
 * Shows keys, with the requests they have left, by the clock of their sandbox.
 *
 * @param width The columns there are; longer keys are cut. By default none is.
 */
export function keyTable(
  keys: readonly KeyView[],
  now: string,
  width: number = Number.POSITIVE_INFINITY,
): string {
  if (keys.length === 0) return 'None'
  const isExpiring = keys.some(willExpire)
  const cells = keys.map((key) => [
    key.plan,
    keyState(key, now),
    `${key.minute.remaining}/${key.minute.limit}`,
    `${key.day.remaining}/${key.day.limit}`,
    ...(isExpiring ? [willExpire(key) ? (key.expiresAt ?? '') : ''] : []),
  ])
  const heads = ['Plan', 'State', 'This minute', 'Today', ...(isExpiring ? ['Expires'] : [])]
  const rest = formatTable([heads, ...cells]).split('\n')
  const room = Math.max(shortestKey, width - Math.max(...rest.map(({ length }) => length)) - 2)
  const names = ['Key', ...keys.map(({ key }) => cut(printable(key), room))]
  const keyWidth = Math.max(...names.map(({ length }) => length))
  return names.map((name, index) => `${name.padEnd(keyWidth)}  ${rest[index]}`).join('\n')
}

function willExpire({ state, expiresAt }: KeyView): boolean {
  return expiresAt !== undefined && state !== 'expired'
}

function keyState({ state, bannedUntil, minute, day }: KeyView, now: string): string {
  if (bannedUntil !== undefined && state === 'banned') return `banned ${timeLeft(bannedUntil, now)}`
  if (state !== 'exhausted') return state === 'active' ? 'served' : state
  const end = day.remaining > 0 ? minute.resetAt : day.resetAt
  return `used up ${timeLeft(end, now)}`
}

/** The longest URL that is shown in full. */
const maxUrlLength = 121

/** Shows an exchange on a line, with the number by which everything names it; where a terminal is too narrow for it, why it was answered so is below. */
export function entryLine(
  { id, at, request, outcome, key, quota, why }: JournalEntry,
  stream: NodeJS.WriteStream,
): string {
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, text, { stream })
  const { method, url } = request
  const time = `#${id}  ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}`
  const target = printable(`${method.padEnd(4)} ${cut(url, maxUrlLength)}`)
  const facts = printable(`${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`)
  const reason = printable(why)
  const isNarrow =
    `${time}  ${target}  ${facts}  ${reason}`.length > (stream.columns ?? Number.POSITIVE_INFINITY)
  const lines = isNarrow ? wrap(reason, stream.columns - indent.length) : [reason]
  const shown = lines.map((line) => paint(isGood ? 'green' : 'yellow', line))
  const gap = isNarrow ? `\n${indent}` : '  '
  return `${paint('dim', time)}  ${target}  ${paint('dim', facts)}${gap}${shown.join(`\n${indent}`)}`
}

/** How far what stands below is set in. */
const indent = '   '
