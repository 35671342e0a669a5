import { changedGaps, viewGaps } from '../../contract/gap-settings.ts'
import { defaultGaps } from '../../contract/gaps.ts'
import { toJson } from '../../contract/json.ts'
import type { ReadCapture } from '../../control/reports.ts'
import { formatInstant } from '../../input/instant.ts'
import { definedOf } from '../../input/record.ts'
import { defaultSeed } from '../../seed/default-seed.ts'
import { seedSettings } from '../../state/beginning.ts'
import { clockStart } from '../../state/clock.ts'
import { keySettings } from '../../state/keys.ts'
import { sandboxLimits, sharedLimits } from '../../state/limits.ts'

/** Controls after which a clock may run. */
const clockMovers: readonly string[] = ['restore', 'scenario']

const head = `import { type ApiRequest, createSandbox } from 'petstore-sandbox'
import { expect, test } from 'vitest'

test('answers as it did', async () => {
  const sandbox = createSandbox(`

const helper = `
  /** Answers at once, whatever a fault would wait for. */
  const answer = async (request: ApiRequest) => {
    const outcome = await sandbox.handle(request, AbortSignal.abort())
    if (!('status' in outcome)) return { kind: outcome.kind }
    const { kind, status, headers, body } = outcome
    return { kind, status, headers, body }
  }
`

type Step = ReadCapture['steps'][number]

type RequestStep = Extract<Step, { do: 'request' }>

type ControlStep = Extract<Step, { do: 'control' }>

/** Writes a capture as a test of Vitest, which needs nothing but the package. */
export function vitestForm(capture: ReadCapture): string {
  const options = `${codeText(optionsOf(capture), 2)})\n`
  let at: number | undefined
  const lines = capture.steps.flatMap((step) => {
    const moves = step.at === at ? [] : [`sandbox.clock.set('${formatInstant(step.at)}')`]
    at = step.at
    return [...moves, ...(step.do === 'request' ? requestLines(step) : controlLines(step))]
  })
  const body = lines.map((line) => `  ${line}\n`).join('')
  return `${head}${options}${helper}\n${body}})`
}

/** The options of the sandbox, without those that are as by default. */
function optionsOf({ begin }: ReadCapture): object {
  const { seed, gaps = {}, limits = {}, clock, rateLimit, randomSeed } = begin
  const { pets, keys } = seedSettings.write({ pets: [], keys: [], ...definedOf(seed ?? {}) })
  const usualKeys = defaultSeed.keys.map(keySettings.write)
  const own = {
    seed: objectOf({
      pets: toJson(pets) === toJson(defaultSeed.pets) ? undefined : pets,
      keys: toJson(keys) === toJson(usualKeys) ? undefined : keys,
    }),
    gaps: objectOf(
      Object.fromEntries(
        changedGaps(viewGaps({ ...defaultGaps, ...definedOf(gaps) })).map((one) => [
          one.gap,
          one.choice,
        ]),
      ),
    ),
    limits: objectOf(
      Object.fromEntries(
        Object.entries(limits).filter(([name, most]) => usualLimits.get(name) !== most),
      ),
    ),
    clock: clock && clockStart.write(clock),
    rateLimit: rateLimit === 'enforced' ? undefined : rateLimit,
    randomSeed: randomSeed === 1 ? undefined : randomSeed,
  }
  return definedOf(own)
}

/** `undefined` for an object in which nothing is set. */
function objectOf(properties: Readonly<Record<string, unknown>>): object | undefined {
  const set = definedOf(properties)
  return Object.keys(set).length === 0 ? undefined : set
}

const usualLimits: ReadonlyMap<string, unknown> = new Map(
  Object.entries({ ...sandboxLimits.read({}), ...sharedLimits.read({}) }),
)

function requestLines({ number, request, outcome }: RequestStep): string[] {
  const { bodyDigest, ...known } = outcome
  const name = `reply${number}`
  // Without a body of which the capture has only a digest.
  const judge = bodyDigest === undefined ? 'toEqual' : 'toMatchObject'
  return [
    `const ${name} = await answer(${codeText(request, 2)})`,
    `expect(${name}).${judge}(${codeText(known, 2)})`,
  ]
}

function controlLines({ name, given }: ControlStep): string[] {
  if (name.startsWith('clock.')) return []
  const call = `sandbox.${name}(${given.map((one) => codeText(one, 2)).join(', ')})`
  return clockMovers.includes(name) ? [call, 'sandbox.clock.freeze()'] : [call]
}

/** How long a line may be. */
const width = 96

/**
 * Writes a JSON value as code of JavaScript; integers beyond 2^53 as strings, which sandboxes take for them.
 *
 * @param indent How far the line is indented where it begins.
 */
function codeText(value: unknown, indent = 0): string {
  const short = flat(value)
  if (short.length + indent <= width || typeof value !== 'object' || value === null) return short
  const inner = indent + 2
  const isList = Array.isArray(value)
  const lines = isList
    ? value.map((one) => codeText(one, inner))
    : members(value).map(([name, one]) => `${nameText(name)}: ${codeText(one, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  const pad = ' '.repeat(inner)
  return `${open}\n${lines.map((line) => `${pad}${line},\n`).join('')}${' '.repeat(indent)}${close}`
}

function flat(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (typeof value === 'bigint') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = members(value).map(([name, one]) => `${nameText(name)}: ${flat(one)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function members(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, one]) => one !== undefined)
}

function nameText(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name)
}

/** In single quotes, whatever is in it. */
function stringText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'")}'`
}
