import type { Finding } from '../../checks/audit/finding.ts'
import type { ScenarioName } from '../../sandbox/controls/scenarios.ts'

/** Size of a picture in CSS pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Name of a state: a scenario, or `as it is` without one. */
export type StateName = ScenarioName | 'as it is'

/** A request of the page, and what it got. */
export interface StateRequest {
  readonly method: string
  readonly path: string
  /** Status of the response, or what came in its place, such as `no response`. */
  readonly got: string
  /** The reason for it in words. */
  readonly why: string
  /** The message of the API's error, if there is one. */
  readonly message: string | undefined
}

/** A page in one state. */
export interface PageState {
  readonly name: StateName
  readonly title: string
  /** Effect of the scenario on clients. */
  readonly summary: string
  readonly size: PageSize
  readonly scheme: 'light' | 'dark'
  /** File name of the picture. */
  readonly picture: string
  /** SHA-256 of the picture. */
  readonly pictureHash: string
  /** Text that the page shows. */
  readonly text: string
  /** Whether the page shows neither text nor a picture. */
  readonly isBlank: boolean
  /** Whether something in the page still says that it is loading. */
  readonly isBusy: boolean
  /** Whether the page is wider than its window. */
  readonly isTooWide: boolean
  /** Errors that no script caught. */
  readonly uncaught: readonly string[]
  /** Errors in the browser's console. */
  readonly consoleErrors: readonly string[]
  readonly requests: readonly StateRequest[]
  readonly findings: readonly Finding[]
}

/** Something that looks wrong in a state, the worst first. */
export interface Flaw {
  readonly kind:
    | 'uncaught-error'
    | 'blank-page'
    | 'finding'
    | 'looks-alike'
    | 'still-loading'
    | 'api-text'
    | 'too-wide'
    | 'console-error'
  readonly message: string
}

/** A state, and what looks wrong in it. */
export interface JudgedState extends PageState {
  readonly flaws: readonly Flaw[]
}

/** Weight of each kind of flaw, for the order of the sheet. */
const weights: { readonly [Kind in Flaw['kind']]: number } = {
  'uncaught-error': 100,
  'blank-page': 90,
  finding: 30,
  'looks-alike': 25,
  'still-loading': 20,
  'api-text': 15,
  'too-wide': 10,
  'console-error': 5,
}

/** Returns the states with their flaws, those of each size and scheme in the order of what looks wrong first. */
export function judge(states: readonly PageState[]): readonly JudgedState[] {
  const judged = states.map((state) => ({ ...state, flaws: flawsOf(state, states) }))
  return judged.toSorted((one, other) => weightOf(other) - weightOf(one))
}

function weightOf({ flaws }: JudgedState): number {
  return flaws.reduce((sum, { kind }) => sum + weights[kind], 0)
}

/** Returns whether a state has an error that no script caught, or a blank page. */
export function isBroken({ flaws }: JudgedState): boolean {
  return flaws.some(({ kind }) => kind === 'uncaught-error' || kind === 'blank-page')
}

function flawsOf(state: PageState, all: readonly PageState[]): readonly Flaw[] {
  const { uncaught, isBlank, isBusy, consoleErrors, findings } = state
  const flaws: Flaw[] = uncaught.map((text) => ({
    kind: 'uncaught-error',
    message: `Uncaught: ${text}`,
  }))
  if (isBlank) flaws.push({ kind: 'blank-page', message: 'The page is blank' })
  for (const { rule, severity, message } of findings) {
    if (severity !== 'info') flaws.push({ kind: 'finding', message: `${rule}: ${message}` })
  }
  const twin = isBlank ? undefined : all.find((other) => looksAlike(state, other))
  if (twin !== undefined) {
    flaws.push({
      kind: 'looks-alike',
      message: `Looks like "${twin.title}", though its requests got something else`,
    })
  }
  if (isBusy && !mayWait(state)) {
    flaws.push({ kind: 'still-loading', message: 'Still says that it is loading' })
  }
  for (const text of apiTexts(state)) {
    flaws.push({ kind: 'api-text', message: `Shows the API's own text: ${text}` })
  }
  if (state.isTooWide) {
    flaws.push({ kind: 'too-wide', message: 'Is wider than its window, and scrolls sideways' })
  }
  // A browser writes a line for each response above 399, which the requests show already.
  const others = consoleErrors.filter((text) => !text.startsWith('Failed to load resource'))
  for (const text of others) flaws.push({ kind: 'console-error', message: `Console: ${text}` })
  return flaws
}

/**
 * Returns whether a page may be waiting for `Retry-After`, and so is right to look busy. One that got a third 429 to the
 * same request isn't; React's StrictMode sends the first one twice.
 */
function mayWait({ requests }: PageState): boolean {
  const rejected = requests
    .filter(({ got }) => got.startsWith('429'))
    .map(({ method, path }) => `${method} ${path}`)
  const timesOf = (one: string): number => rejected.filter((other) => other === one).length
  return rejected.length > 0 && rejected.every((one) => timesOf(one) <= 2)
}

/** Returns whether another state looks the same, though the page got another kind of response. */
function looksAlike(state: PageState, other: PageState): boolean {
  const isSameView = state.scheme === other.scheme && state.size === other.size
  if (state.name === other.name || !isSameView || state.requests.length === 0) return false
  // Pages that are still loading look alike, which is said of each.
  if (state.isBusy && other.isBusy) return false
  const isSame = state.pictureHash === other.pictureHash && state.text === other.text
  return isSame && outcomesOf(state) !== outcomesOf(other)
}

/** Returns the kinds of responses that a page got, as text: 401 twice is 401. */
function outcomesOf({ requests }: PageState): string {
  return [...new Set(requests.map(({ got }) => got))].toSorted().join()
}

/** Returns the messages of the API's errors that the page shows to its user. */
function apiTexts({ requests, text }: PageState): readonly string[] {
  const shown = text.replace(/\s+/g, ' ')
  const messages = requests.flatMap(({ message }) => (message === undefined ? [] : [message]))
  return [...new Set(messages)].filter((message) => shown.includes(message.replace(/\s+/g, ' ')))
}
