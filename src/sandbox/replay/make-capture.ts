import type { ApiRequest, Headers } from '../../mock/api/message.ts'
import { Breaks } from '../../mock/api/real-time.ts'
import { definedOf } from '../../mock/input/record.ts'
import type { RequestTiming } from '../../mock/log/logged-request.ts'
import type { RecordedStep } from '../../mock/log/recording.ts'
import { Redactor } from '../../mock/log/redactor.ts'
import { sharedLimits } from '../../mock/log/shared-memory.ts'
import {
  type Capture,
  captureFile,
  captureSchemaUrl,
  captureVersion,
  type ReadStep,
  type ReadTiming,
} from '../controls/captures.ts'
import { capturedOutcome, digested } from './outcomes.ts'
import { ReplaySandbox } from './replay-sandbox.ts'
import type { Play } from './what-if.ts'

/** History of a sandbox to capture. */
interface CapturedPlay extends Play {
  /** Well-known keys: those of the default seed. */
  readonly plainKeys: Iterable<string>
}

/** Maximum length of all response bodies in a capture, in characters; beyond it, only digests are stored. */
const maxBodies = 8_388_608

/** Headers besides the key that affect a response; others reveal more about a client than a file should. */
const decidingHeaders: readonly string[] = ['content-type', 'content-encoding']

/**
 * Captures how a sandbox began and what was done to it, with aliases for its keys. The outcomes are those of a replay
 * with these aliases.
 */
export async function makeCapture({ beginning, known, plainKeys }: CapturedPlay): Promise<Capture> {
  const aliases = new Aliases(new Set(plainKeys))
  const keys = beginning.seed.keys.map((one) => ({ ...one, key: aliases.of(one.key) }))
  // Secrets come after the keys, whose aliases are then the same without any secrets.
  for (const secret of beginning.secrets) aliases.of(secret)
  const breaks = new Breaks()
  // Learn all keys first, since a text may contain a key before it is sent as one.
  for (const step of known.steps) {
    await breaks.take()
    aliasedStep(step, aliases)
  }
  const pets = beginning.seed.pets.map((pet) => ({ ...pet, name: aliases.inText(pet.name) }))
  const begun = { ...beginning, seed: { pets, keys } }
  const sandbox = new ReplaySandbox(begun)
  const steps: ReadStep[] = []
  let bodyLength = 0
  const numbers = known.steps.map((step) => (step.do === 'request' ? step.id : 0))
  let lastNumber = Math.max(0, ...numbers)
  for (const one of known.steps) {
    await breaks.take()
    const step = aliasedStep(one, aliases)
    const outcome = await sandbox.take(step)
    if (step.do === 'control') {
      steps.push({ ...step, given: [...step.given] })
    } else if (outcome !== undefined) {
      const { at, id, request } = step
      const { method, url, headers, body, bodyBytes, unreadable } = request
      const captured = capturedOutcome(outcome)
      bodyLength += captured.body?.length ?? 0
      steps.push({
        ...{ do: 'request', number: id === 0 ? ++lastNumber : id, at },
        request: { method, url, headers, body, bodyBytes, unreadable },
        outcome: bodyLength > maxBodies ? digested(captured) : captured,
        timing: capturedTiming(step),
      })
    }
  }
  const { randomSeed, gaps, rateLimits } = begun
  return captureFile.encode({
    $schema: captureSchemaUrl,
    petstoreCapture: captureVersion,
    options: {
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
    changes: known.marks.map(({ name, ...mark }) => ({
      ...mark,
      ...definedOf({ name: name && aliases.inText(name) }),
    })),
  })
}

/** Returns the timing of a request in the form of a capture. */
export function capturedTiming(timing: RequestTiming): ReadTiming {
  const { adapter, connection, delivery, endedAt } = timing
  const { startOrder, receivedUs, receivedAt, receivedTurn } = timing
  const { endOrder, endedUs = 0, respondedAt = 0, endedTurn = 0 } = timing
  const moment = (sequence: number, us: number, host: number, tick: number) => {
    return { sequence, tick, real: us / 1000, host: Math.round(host * 1000) / 1000 }
  }
  return {
    ...{ adapter, connection, delivery, endedAt },
    start: moment(startOrder, receivedUs, receivedAt, receivedTurn),
    end: endOrder === undefined ? undefined : moment(endOrder, endedUs, respondedAt, endedTurn),
  }
}

/** Replaces keys in a step: those passed as keys, and those known by now in texts. */
function aliasedStep(step: RecordedStep, aliases: Aliases): RecordedStep {
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

/** Returns the headers that affect a response or a finding; of other headers, only the keys in them. */
function keptHeaders({ headers }: ApiRequest, aliases: Aliases): Headers {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (name === 'authorization') return [[name, aliases.inAuthorization(value)]]
    if (decidingHeaders.includes(name)) return [[name, aliases.inText(value)]]
    if (name === 'user-agent') return [[name, aliases.inText(value)]]
    const keys = aliases.keysIn(value)
    return keys.length === 0 ? [] : [[name, keys.join(' ')]]
  })
  return Object.fromEntries(kept)
}

const schemes = /^(?:basic|bearer|digest)$/i

/** Syntax of a key; other words in an `Authorization` header aren't keys, and in other texts they may mean anything. */
const keySyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** Replaces keys with aliases, the same for the same key everywhere. */
class Aliases {
  readonly #aliases = new Map<string, string>()
  readonly #plain: ReadonlySet<string>
  readonly #redactor = new Redactor()

  /** @param plain Well-known keys, which stay as they are. */
  constructor(plain: ReadonlySet<string>) {
    this.#plain = plain
  }

  /** Returns the alias of a key; creates it if necessary. */
  of(key: string): string {
    if (key === '' || this.#plain.has(key)) return key
    const known = this.#aliases.get(key)
    if (known !== undefined) return known
    const number = String(this.#aliases.size + 1)
    // In a JSON body it may stand as a number.
    const alias = /^\d+$/.test(key) ? number.padStart(key.length, '1') : `api-key-${number}`
    this.#aliases.set(key, alias)
    if (keySyntax.test(key)) this.#redactor.add(key)
    return alias
  }

  /** Replaces words that may be keys in an `Authorization` header, well formed or not. */
  inAuthorization(value: string): string {
    return value.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : this.of(word)))
  }

  /** Replaces the keys known by now in a text, plain or percent-encoded. */
  inText(text: string): string {
    return this.#redactor.replace(text, (key) => this.of(key))
  }

  /** Returns the aliases of the keys in a text, as far as they are known by now. */
  keysIn(text: string): readonly string[] {
    const found = text.split(/[^A-Za-z0-9\-._~+/=]+/).filter((word) => this.#plain.has(word))
    this.#redactor.replace(text, (key) => {
      found.push(this.of(key))
      return ''
    })
    return found
  }

  /** Replaces the keys in the arguments of a control: in `key` and `token` properties, and in the names of pets. */
  inGiven(given: unknown): unknown {
    return withTexts(given, (name, text) => {
      if (name === 'key' || name === 'token') return this.of(text)
      // All other texts are from fixed sets.
      return name === 'name' ? this.inText(text) : text
    })
  }
}

/** Copies a value, and replaces the texts in its properties. */
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
