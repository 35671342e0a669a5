import { Auditor } from '../../src/checks/audit/auditor.ts'
import type { Finding } from '../../src/checks/audit/finding.ts'
import { type ErrorCode, errorCodes } from '../../src/mock/api/error.ts'
import { retryAfter } from '../../src/mock/api/gaps/limits.ts'
import { defaultGaps, type GapName, type GapValues } from '../../src/mock/api/gaps.ts'
import type { AdapterName } from '../../src/mock/api/message.ts'
import { plans } from '../../src/mock/api/plans.ts'
import { formatInstant } from '../../src/mock/input/values.ts'
import type { LoggedOutcome } from '../../src/mock/log/logged-request.ts'
import type { Delivery, StateChangeKind } from '../../src/mock/log/request-view.ts'
import { startAt } from './frozen-sandbox.ts'

/** A request of a story, and what became of it; what is left out is a list that is served at once. */
export interface StoryStep {
  /** How long after the answer before it the request is sent, in milliseconds of every clock. */
  readonly after?: number
  /** How long it takes to be answered, in milliseconds of every clock. */
  readonly takes?: number
  /** How long in real milliseconds, where that is not the same. */
  readonly really?: number
  /** Whether it is sent, or the mark set, while the one before it is under way. */
  readonly together?: true
  /** Whether it is sent in the same turn of the event loop as the one before it. */
  readonly sameTurn?: true
  readonly key?: string
  readonly connection?: number
  /** How long before that the connection was opened, in milliseconds; by default that isn't known. */
  readonly connectedAgo?: number
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: string
  /** The response. */
  readonly status?: number
  readonly code?: ErrorCode
  readonly gap?: GapName
  /** How long Retry-After says to wait, in milliseconds. */
  readonly retryIn?: number | undefined
  /** Whether Retry-After says so as a date. */
  readonly asDate?: true
  /** In which form Retry-After says so; by default in seconds. */
  readonly retryAs?: GapValues['retryAfterFormat']
  /** How far the Date of the response is ahead, in milliseconds. */
  readonly dateHeaderSkew?: number
  readonly body?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly remaining?: number
  readonly petId?: number | bigint
  readonly total?: number
  /** What breaks the response. */
  readonly broken?: 'disconnect' | 'malformed-json'
  readonly delivery?: Delivery
  /** Whether the end of the response isn't known yet. */
  readonly isOpen?: true
  readonly mark?: StateChangeKind
}

/** A list that is rejected for a minute. */
export const limited: StoryStep = { status: 429, code: 'rate_limit_exceeded', retryIn: 60_000 }

/** Where a story happens. */
interface Teller {
  readonly oneClient?: boolean | undefined
  readonly adapter?: AdapterName
  /** How late the event loop of the server was all the time, in milliseconds. */
  readonly lateMs?: number
}

/** Tells a story to a new auditor, and gives its verdict. */
export function judge(
  story: readonly StoryStep[],
  { adapter = 'direct', lateMs = 0, ...options }: Teller = {},
): Finding[] {
  const ground = {
    limitsOf: (key: string) => (key.endsWith('-key') ? plans.free : undefined),
    rejectionUnder: () => undefined,
    lateBetween: () => lateMs,
  }
  const auditor = new Auditor(ground, String)
  const callers: string[] = []
  let order = 0
  let at = startAt
  let real = 1_000
  let id = 0
  let turn = 0
  /** Answers that are due when the requests that are sent together have all begun. */
  let answers: (() => void)[] = []
  const answerAll = (): void => {
    for (const answer of answers) answer()
    answers = []
  }
  for (const step of story) {
    const { mark, key = 'free-key', after = 1_000, takes = 0 } = step
    if (mark !== undefined) {
      if (step.together !== true) answerAll()
      auditor.record({ mark: { sequence: ++order, at: formatInstant(at), kind: mark } })
      continue
    }
    if (step.together !== true) {
      answerAll()
      at += after
      real += step.really ?? after
      if (step.sameTurn !== true) turn += 5
    }
    if (!callers.includes(key)) callers.push(key)
    const timing = {
      adapter,
      connection: adapter === 'server' ? (step.connection ?? 1) : undefined,
      connectedUs: step.connectedAgo === undefined ? undefined : (real - step.connectedAgo) * 1000,
      receivedUs: real * 1000,
      receivedAt: at,
      startOrder: ++order,
      endOrder: step.isOpen ? undefined : 0,
      endedUs: step.isOpen ? undefined : (real + takes) * 1000,
      respondedAt: at + takes,
      receivedTurn: turn,
      endedTurn: turn,
      endedAt: at + takes,
      delivery:
        step.delivery ??
        (step.broken === 'disconnect' ? ('broken' as const) : ('delivered' as const)),
    }
    const logged = { ...loggedOf(step, key, callers.indexOf(key) + 1, at), ...timing, id: ++id }
    at += takes
    real += takes
    answers.push(() => {
      const endOrder = step.isOpen ? undefined : ++order
      auditor.record({ ...logged, endOrder })
    })
  }
  answerAll()
  return auditor.findings({ oneClient: options.oneClient })
}

function loggedOf(step: StoryStep, token: string, client: number, at: number) {
  const { url = '/v1/pets?limit=5', json, code, gap, retryIn, remaining = 50 } = step
  const method = step.method ?? (json === undefined ? 'GET' : 'POST')
  const status = step.status ?? (json === undefined ? 200 : 201)
  const outcome: LoggedOutcome =
    step.broken === 'disconnect'
      ? { kind: 'disconnect' }
      : {
          kind: 'response',
          status,
          headers: { ...retryAfterOf(step, at), ...step.responseHeaders },
          body: step.body ?? '[]',
        }
  const operation =
    method === 'POST' ? 'createPet' : url.startsWith('/v1/pets/') ? 'getPet' : 'listPets'
  const strike = { id: 1, fault: step.broken ?? '', waitMs: 0 }
  return {
    request: { method, url, headers: headersOf(token, step), body: json ?? '' },
    outcome,
    client,
    at,
    result: {
      operation: gap === 'afterSunset' || code === 'moved' ? undefined : operation,
      token,
      ...({ window: 'minute', limit: 60, remaining, resetAt: at + 60_000 } as const),
      isSpent: true,
      rejection:
        code === undefined
          ? undefined
          : {
              code,
              message: `${errorCodes[code].status}`,
              gap,
              retryAt: retryIn === undefined ? undefined : at + retryIn,
              keyProblem: undefined,
            },
      petId: step.petId,
      total: step.total,
      count: step.total,
      gaps: {
        ...defaultGaps,
        dateHeaderSkew: step.dateHeaderSkew ?? ('none' as const),
        retryAfterFormat: formatOf(step),
      },
      appliedFaults:
        step.broken === undefined
          ? []
          : [{ ...strike, action: { step: 'use-up', window: 'minute' } as const }],
      sent: undefined,
      abortedBy: undefined,
    },
  } as const
}

function formatOf({ asDate, retryAs = asDate ? 'http-date' : 'seconds' }: StoryStep) {
  return retryAs
}

function retryAfterOf(step: StoryStep, at: number): Record<string, string> {
  const { retryIn } = step
  if (retryIn === undefined) return {}
  return retryAfter(at + retryIn, { ...defaultGaps, retryAfterFormat: formatOf(step) }, at).headers
}

/** The names of the rules that a verdict names, with their severities. */
export function namesIn(findings: readonly Finding[]): string[] {
  return findings.map(({ rule, severity }) => `${severity} ${rule}`)
}

function headersOf(token: string, { headers }: StoryStep): Record<string, string> {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
  const all = { ...authorization, 'user-agent': 'story', ...headers }
  // A story leaves one out by `undefined`.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
