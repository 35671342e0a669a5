import {
  type Capture,
  type CapturedVisit,
  type CaptureStep,
  captureFile,
  captureSchemaUrl,
  captureVersion,
} from '../../mock/controls/reports.ts'
import { definedOf } from '../../mock/input/record.ts'
import { sharedLimits } from '../../mock/log/byte-budget.ts'
import type { RequestTiming } from '../../mock/log/logged-request.ts'
import type { Step } from '../../mock/log/recording.ts'
import { Redactor } from '../../mock/log/redactor.ts'
import type { ApiRequest, Headers } from '../../mock/spec/message.ts'
import { Breaks } from '../../mock/spec/real-time.ts'
import { capturedOutcome, digested } from './outcomes.ts'
import type { Play } from './what-if.ts'
import { ReplaySandbox } from './world.ts'

/** What is captured. */
interface CapturedPlay extends Play {
  /** The keys that anybody knows. */
  readonly plainKeys: Iterable<string>
}

/** How many characters of replies a capture has at most; of those beyond, it has digests. */
const mostBodies = 8_388_608

/** The headers that decide an answer, beside the key; others say more of a client than a file should. */
const decidingHeaders: readonly string[] = ['content-type', 'content-encoding']

/**
 * Writes down how a sandbox began and what was done to it, under other names for its keys, with the outcome of each
 * request as it is under these names.
 */
export async function makeCapture({ beginning, known, plainKeys }: CapturedPlay): Promise<Capture> {
  const aliases = new Aliases(new Set(plainKeys))
  const keys = beginning.seed.keys.map((one) => ({ ...one, key: aliases.of(one.key) }))
  // After the keys, whose names are the same then for who keeps no secrets.
  for (const secret of beginning.secrets) aliases.of(secret)
  const breaks = new Breaks()
  // Learns all keys first, since a text may have one before it is sent as a key.
  for (const step of known.steps) {
    await breaks.take()
    aliasedStep(step, aliases)
  }
  const pets = beginning.seed.pets.map((pet) => ({ ...pet, name: aliases.inText(pet.name) }))
  const begun = { ...beginning, seed: { pets, keys } }
  const world = new ReplaySandbox(begun)
  const steps: CaptureStep[] = []
  let bodyLength = 0
  const numbers = known.steps.map((step) => (step.do === 'request' ? step.number : undefined) ?? 0)
  let lastNumber = Math.max(0, ...numbers)
  for (const one of known.steps) {
    await breaks.take()
    const step = aliasedStep(one, aliases)
    const outcome = await world.take(step)
    if (step.do === 'control') {
      steps.push({ ...step, given: [...step.given] })
    } else if (outcome !== undefined) {
      const { at, number = ++lastNumber, timing } = step
      const { method, url, headers, body, bodyBytes, unreadable } = step.request
      const captured = capturedOutcome(outcome)
      bodyLength += captured.body?.length ?? 0
      steps.push({
        ...{ do: 'request', number, at },
        request: { method, url, headers, body, bodyBytes, unreadable },
        outcome: bodyLength > mostBodies ? digested(captured) : captured,
        visit: capturedVisit(timing),
      })
    }
  }
  const { randomSeed, gaps, rateLimits } = begun
  return captureFile.encode({
    $schema: captureSchemaUrl,
    petstoreCapture: captureVersion,
    begin: {
      seed: { pets: pets.map((pet) => ({ ...pet, status: pet.status })), keys },
      randomSeed,
      gaps,
      clock: { now: steps[0]?.at ?? 0, mode: 'frozen', speed: 1 },
      rateLimits,
      maxRequests: undefined,
      coverage: undefined,
      limits: { ...begun.limits, ...sharedLimits.parse({}) },
    },
    dropped: known.dropped,
    steps,
    marks: known.marks.map(({ name, ...mark }) => ({
      ...mark,
      ...definedOf({ name: name && aliases.inText(name) }),
    })),
  })
}

/** Returns the timing of a request as a capture has it. */
export function capturedVisit(timing: RequestTiming): CapturedVisit {
  const { adapter, connection, delivery, endedAt } = timing
  const { startOrder, receivedUs, receivedAt, receivedTurn } = timing
  const { answerOrder, answeredUs = 0, answeredAt = 0, answeredTurn = 0 } = timing
  const moment = (order: number, us: number, host: number, turn: number) => {
    return { order, turn, real: us / 1000, host: Math.round(host * 1000) / 1000 }
  }
  return {
    ...{ adapter, connection, delivery, endedAt },
    received: moment(startOrder, receivedUs, receivedAt, receivedTurn),
    answered:
      answerOrder === undefined
        ? undefined
        : moment(answerOrder, answeredUs, answeredAt, answeredTurn),
  }
}

/** A step under other names for keys: for those that it is given as such, and for those that are known by now. */
function aliasedStep(step: Step, aliases: Aliases): Step {
  if (step.do === 'control') {
    const last = step.given.findLastIndex((one) => one !== undefined)
    const given = step.given
      .slice(0, last + 1)
      .map((one) =>
        step.name.startsWith('keys.') && typeof one === 'string'
          ? aliases.of(one)
          : aliases.inGiven(one),
      )
    return { ...step, given }
  }
  const { method, url, body } = step.request
  const request = {
    ...step.request,
    headers: keptHeaders(step.request, aliases),
    method: aliases.inText(method),
    url: aliases.inText(url),
    body: aliases.inText(body),
  }
  return { ...step, request }
}

/** The headers that decide an answer or a verdict: of the others only those that have keys, and nothing but these. */
function keptHeaders({ headers }: ApiRequest, aliases: Aliases): Headers {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (name === 'authorization') return [[name, aliases.inAuthorization(value)]]
    if (decidingHeaders.includes(name)) return [[name, value]]
    if (name === 'user-agent') return [[name, aliases.inText(value)]]
    const keys = aliases.keysIn(value)
    return keys.length === 0 ? [] : [[name, keys.join(' ')]]
  })
  return Object.fromEntries(kept)
}

const schemes = /^(?:basic|bearer|digest)$/i

/** What else stands in an `Authorization` is not a key, and in other texts it may be anything. */
const keySyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** Puts other names in the place of keys, the same for the same key wherever it stands. */
class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #plain: ReadonlySet<string>
  readonly #redactor = new Redactor()

  /** @param plain The keys that anybody knows, which stay as they are. */
  constructor(plain: ReadonlySet<string>) {
    this.#plain = plain
  }

  /** The name of a key; a new one if it has none yet. */
  of(key: string): string {
    if (key === '' || this.#plain.has(key)) return key
    const known = this.#aliases.get(key)
    if (known !== undefined) return known
    const alias = `api-key-${this.#aliases.size + 1}`
    this.#aliases.set(key, alias)
    if (keySyntax.test(key)) this.#redactor.add(key)
    return alias
  }

  /** Replaces what may be a key in an `Authorization`, well formed or not. */
  inAuthorization(value: string): string {
    return value.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : this.of(word)))
  }

  /** Replaces the keys that are known by now in a text: as they are, percent-encoded, and as JSON escapes. */
  inText(text: string): string {
    return this.#redactor.replace(text, (key) => this.of(key))
  }

  /** The names of the keys that stand in a text, as far as they are known by now. */
  keysIn(text: string): readonly string[] {
    const found = text.split(/[^A-Za-z0-9\-._~+/=]+/).filter((word) => this.#plain.has(word))
    this.#redactor.replace(text, (key) => {
      found.push(this.of(key))
      return ''
    })
    return found
  }

  /** Replaces the keys in what a control was given: those that are called so, and in the names of pets. */
  inGiven(given: unknown): unknown {
    return withTexts(given, (name, text) => {
      if (name === 'key' || name === 'caller') return this.of(text)
      // No other text is free.
      return name === 'name' ? this.inText(text) : text
    })
  }
}

/** Copies a value, with other texts in its properties. */
function withTexts(value: unknown, change: (name: string, text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [
        name,
        typeof one === 'string' ? change(name, one) : withTexts(one, change),
      ]),
  )
}
