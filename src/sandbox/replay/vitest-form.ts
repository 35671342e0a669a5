import { printableJson } from '../../checks/reports/text.ts'
import { changedGaps, defaultGaps, viewGaps } from '../../mock/api/gaps.ts'
import { toJson } from '../../mock/api/json.ts'
import { definedOf } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'
import type { RecordedControl } from '../../mock/log/recording.ts'
import { sharedLimits } from '../../mock/log/shared-memory.ts'
import { seedSettings } from '../../mock/state/beginning.ts'
import { clockStart } from '../../mock/state/clock.ts'
import { sandboxLimits } from '../../mock/state/limits.ts'
import type { ReadCapture } from '../controls/captures.ts'
import { defaultSeed } from '../seed/default-seed.ts'
import type { ReadRequest } from './replay-capture.ts'

/** Controls after which the clock may be running. */
const clockMovers: readonly string[] = ['restore', 'scenario']

const head = `import { type ApiRequest, createSandbox } from 'petstore-sandbox'
import { expect, test } from 'vitest'

test('responds as before', async () => {
  const sandbox = createSandbox(`

const helper = `
  /** Sends a request; no fault delays its response. */
  const send = async (request: ApiRequest) => {
    const outcome = await sandbox.handle(request, AbortSignal.abort())
    if (!('status' in outcome)) return { kind: outcome.kind }
    const { kind, status, headers, body } = outcome
    return { kind, status, headers, body }
  }
`

/** Writes a capture as a Vitest test that needs only the package. */
export function vitestForm(capture: ReadCapture): string {
  const options = `${codeText(optionsOf(capture))})\n`
  let at: number | undefined
  const lines = capture.steps.flatMap((step) => {
    const moves = step.at === at ? [] : [`sandbox.clock.set('${formatInstant(step.at)}')`]
    at = step.at
    return [...moves, ...(step.do === 'request' ? requestLines(step) : controlLines(step))]
  })
  const body = lines.map((line) => `  ${line}\n`).join('')
  return `${head}${options}${helper}\n${body}})`
}

/** Returns the options of the sandbox that differ from the defaults. */
function optionsOf({ options }: ReadCapture): object {
  const { seed, gaps = {}, limits = {}, clock, rateLimits, randomSeed } = options
  const written = seedSettings.encode({ pets: [], keys: [], ...definedOf(seed ?? {}) })
  const { pets, keys } = defaultSeed
  const standard = seedSettings.encode({ pets: [...pets], keys: [...keys] })
  const isDefaultSeed = toJson(written) === toJson(standard)
  const changed = changedGaps(viewGaps({ ...defaultGaps, ...definedOf(gaps) }))
  const changedLimits = Object.entries(limits).filter(
    ([name, most]) => defaultLimits.get(name) !== most,
  )
  return definedOf({
    seed: isDefaultSeed ? undefined : written,
    gaps:
      changed.length === 0
        ? undefined
        : Object.fromEntries(changed.map(({ gap, value }) => [gap, value])),
    limits: changedLimits.length === 0 ? undefined : Object.fromEntries(changedLimits),
    clock: clock && clockStart.encode(clock),
    rateLimits: rateLimits === 'enforce' ? undefined : rateLimits,
    randomSeed: randomSeed === 1 ? undefined : randomSeed,
  })
}

const defaultLimits: ReadonlyMap<string, unknown> = new Map(
  Object.entries({ ...sandboxLimits.parse({}), ...sharedLimits.parse({}) }),
)

function requestLines({ number, request, outcome }: ReadRequest): string[] {
  const { bodyDigest, ...known } = outcome
  const name = `response${number}`
  // The capture may have only a digest of the body.
  const matcher = bodyDigest === undefined ? 'toEqual' : 'toMatchObject'
  return [
    `const ${name} = await send(${codeText(request)})`,
    `expect(${name}).${matcher}(${codeText(known)})`,
  ]
}

function controlLines({ name, given }: RecordedControl): string[] {
  if (name.startsWith('clock.')) return []
  const call = `sandbox.${name}(${given.map(codeText).join(', ')})`
  return clockMovers.includes(name) ? [call, 'sandbox.clock.freeze()'] : [call]
}

/** Writes a value as JavaScript; integers beyond 2^53 as strings, which sandboxes accept for integers. */
function codeText(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
  return codeOf(JSON.parse(text), '  ')
}

/** Maximum length of a value on one line. */
const lineLength = 96

function codeOf(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => codeOf(one, inner))
    : Object.entries(value).map(([name, one]) => `${nameText(name)}: ${codeOf(one, inner)}`)
  if (parts.length === 0) return `${open}${close}`
  const line = `${open} ${parts.join(', ')} ${close}`
  if (line.length <= lineLength && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function quoted(text: string): string {
  const escaped = printableJson(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'")}'`
}

/** Writes the name of a property; `__proto__` is computed, since it would set the prototype. */
function nameText(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)
}
