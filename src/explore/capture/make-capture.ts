import type { ApiRequest, Headers, Outcome } from '../../contract/message.ts'
import {
  type Capture,
  type CapturedOutcome,
  type CapturedVisit,
  type CaptureStep,
  captureFile,
  captureSchemaUrl,
  captureStep,
  captureVersion,
} from '../../control/reports.ts'
import { definedOf } from '../../input/record.ts'
import type { Beginning } from '../../state/beginning.ts'
import { toMicroseconds, type VisitFacts } from '../../state/exchange.ts'
import { sharedLimits } from '../../state/limits.ts'
import { Redactor } from '../../state/redactor.ts'
import type { Play } from '../counterfactual.ts'
import { digestOfText } from '../digest.ts'
import { knownSteps, type Step } from '../step-record.ts'
import { replayable, Turns, World } from '../world.ts'

/** What is captured. */
interface CapturedPlay extends Play {
  /** The keys that anybody knows. */
  readonly plainKeys: Iterable<string>
}

/** How many characters of replies a capture has at most; of those beyond, it has digests. */
const mostBodies = 8_388_608

/** The headers that decide an answer; others say more of a client than a file should. */
const decidingHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'content-encoding',
])

/**
 * Writes down how a sandbox began and what was done to it, under other names for its keys, with the outcome of each
 * request as it is under these names.
 *
 * @throws {@link InputError} when all is forgotten.
 */
export async function makeCapture({ beginning, known, plainKeys }: CapturedPlay): Promise<Capture> {
  const aliases = new Aliases(new Set(plainKeys))
  const keys = beginning.seed.keys.map((one) => ({ ...one, key: aliases.of(one.key) }))
  // After the keys, whose names are the same then for who keeps no secrets.
  for (const secret of beginning.secrets) aliases.of(secret)
  const turns = new Turns()
  const aliased = await aliasedSteps(knownSteps(known), aliases, turns)
  const pets = beginning.seed.pets.map((pet) => ({ ...pet, name: aliases.inText(pet.name) }))
  const begun: Beginning = { ...beginning, seed: { pets, keys }, redactor: new Redactor() }
  await turns.give()
  const world = new World(replayable(begun))
  const written: Capture['steps'][number][] = []
  const write = (taken: CaptureStep): void => void written.push(captureStep.write(taken))
  let bodyLength = 0
  let lastNumber = Math.max(0, ...numbersOf(aliased))
  for (const step of aliased) {
    if (turns.areDue) await turns.give()
    const outcome = await world.take(step)
    const { at } = step
    if (step.kind === 'control') {
      write({ do: 'control', at, name: step.name, given: [...step.given] })
    } else if (outcome !== undefined) {
      const { visit } = step
      const { method, url, headers, body, bodyBytes, unreadable } = step.request
      const request = { method, url, headers, body, bodyBytes, unreadable }
      const captured = capturedOutcome(outcome)
      bodyLength += captured.body?.length ?? 0
      const kept = bodyLength > mostBodies ? digested(captured) : captured
      const number = step.number ?? ++lastNumber
      write({
        ...{ do: 'request', number, at, request, outcome: kept },
        visit: visit && capturedVisit(visit),
      })
    }
  }
  const { seed, randomSeed, gaps, rateLimit } = begun
  const clock = { now: aliased[0]?.at ?? 0, mode: 'frozen', scale: 1 } as const
  const begin = {
    seed: {
      pets: seed.pets.map((pet) => ({ ...pet, status: pet.status })),
      keys: [...seed.keys],
    },
    randomSeed,
    gaps,
    clock,
    rateLimit,
    journalSize: undefined,
    coverage: undefined,
    limits: { ...begun.limits, ...sharedLimits.read({}) },
  }
  const capture = captureFile.write({
    $schema: captureSchemaUrl,
    petstoreCapture: captureVersion,
    begin,
    earlier: known.earlier,
    steps: [],
    marks: known.marks.map(({ name, ...mark }) => ({
      ...mark,
      ...definedOf({ name: name && aliases.inText(name) }),
    })),
  })
  return { ...capture, steps: written }
}

/** An outcome without what hangs on its way. */
export function capturedOutcome(outcome: Outcome): CapturedOutcome {
  if (!('status' in outcome)) {
    const none = undefined
    return { kind: outcome.kind, status: none, headers: none, body: none, bodyDigest: none }
  }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body, bodyDigest: undefined }
}

/** An outcome with only a digest of its body. */
export function digested(outcome: CapturedOutcome): CapturedOutcome {
  const { body } = outcome
  if (body === undefined) return outcome
  return { ...outcome, body: undefined, bodyDigest: digestOfText(body) }
}

/** Gives what a capture has of a visit. */
export function capturedVisit(visit: VisitFacts): CapturedVisit {
  const { door, connection, delivery, endedAt } = visit
  const { startOrder, received, receivedAt, receivedTurn } = visit
  const { answerOrder, answered = 0, answeredAt = 0, answeredTurn = 0 } = visit
  const moment = (order: number, real: number, host: number, turn: number) => ({
    ...{ order, turn },
    ...{ real: toMicroseconds(real), host: toMicroseconds(host) },
  })
  return {
    ...{ door, connection, delivery, endedAt },
    received: moment(startOrder, received, receivedAt, receivedTurn),
    answered:
      answerOrder === undefined
        ? undefined
        : moment(answerOrder, answered, answeredAt, answeredTurn),
  }
}

/** Learns all keys first, since a text may have one before it is sent as a key. */
async function aliasedSteps(
  steps: readonly Step[],
  aliases: Aliases,
  turns: Turns,
): Promise<Step[]> {
  const learnt = await eachInTurn(steps, turns, (step): Step => {
    if (step.kind === 'control')
      return { ...step, given: aliasedGiven(step.name, step.given, aliases) }
    const { authorization } = step.request.headers
    if (authorization === undefined) return step
    const headers = {
      ...step.request.headers,
      authorization: aliases.inAuthorization(authorization),
    }
    return { ...step, request: { ...step.request, headers } }
  })
  return await eachInTurn(learnt, turns, (step): Step => {
    if (step.kind === 'control') {
      return { ...step, given: step.given.map((one) => aliases.inNames(one)) }
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
  })
}

/** Changes each step; others have their turn now and then. */
async function eachInTurn(
  steps: readonly Step[],
  turns: Turns,
  change: (step: Step) => Step,
): Promise<Step[]> {
  const changed: Step[] = []
  for (const step of steps) {
    if (turns.areDue) await turns.give()
    changed.push(change(step))
  }
  return changed
}

function aliasedGiven(
  name: string,
  given: readonly unknown[],
  aliases: Aliases,
): readonly unknown[] {
  const last = given.findLastIndex((one) => one !== undefined)
  const [first, ...others] = given.slice(0, last + 1)
  if (last < 0) return []
  const isKey = name.startsWith('keys.') && typeof first === 'string'
  return [
    isKey ? aliases.of(first) : aliases.inGiven(first),
    ...others.map((one) => aliases.inGiven(one)),
  ]
}

/** The headers that decide an answer or a verdict: of the others only those that have keys, and nothing but these. */
function keptHeaders({ headers }: ApiRequest, aliases: Aliases): Headers {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (decidingHeaders.has(name)) return [[name, value]]
    if (name === 'user-agent') return [[name, aliases.inText(value)]]
    const keys = aliases.keysIn(value)
    return keys.length === 0 ? [] : [[name, keys.join(' ')]]
  })
  return Object.fromEntries(kept)
}

/** The numbers of the requests that were answered. */
function* numbersOf(steps: readonly Step[]): Iterable<number> {
  for (const step of steps) {
    if (step.kind === 'request' && step.number !== undefined) yield step.number
  }
}

const schemes = /^(?:basic|bearer|digest)$/i

/** What else stands in an `Authorization` is no key, and in other texts it may be anything. */
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

  /** Replaces the keys in what a control was given: wherever a property is called `key` or `caller`. */
  inGiven(given: unknown): unknown {
    return withTexts(given, (name, text) =>
      name === 'key' || name === 'caller' ? this.of(text) : text,
    )
  }

  /** Replaces the keys that are known by now in the names of pets that a control was given; no other text is free. */
  inNames(given: unknown): unknown {
    return withTexts(given, (name, text) => (name === 'name' ? this.inText(text) : text))
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
