import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJson } from '../../../src/contract/json/json.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import {
  controlDescription,
  controlsIn,
  jsonOf,
  validators,
} from '../../kit/control-description.ts'
import { controlHost } from '../../kit/control-host.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { anyChangeOf, anyValid } from '../../kit/json-arbitraries.ts'
import { requestOf } from '../../kit/send.ts'
import { sendControl } from '../../kit/send-control.ts'

const description = await controlDescription(controlHost())
const validatorOf = validators(description)

/** Why a body is refused that is described: rules that hold values against each other, and against the sandbox. */
const beyondSchemas: readonly RegExp[] = [
  // A day that its month doesn't have; text for a number that is out of bounds.
  /: found "\d{4}-\d\d-\d\d.*; use ISO 8601/,
  /: found "\d{15}"; use ISO 8601/,
  /: found ".*; use milliseconds, or a duration/,
  /: found "-?\d{19,40}"; use an integer from/,
  // The longer one of two waits first.
  /\.ms: found an array of 2; use milliseconds/,
  /scenario\.key: (?:found .*; use a key of this sandbox|it applies to everyone; leave the key out)$/,
  /limits: plan enterprise has none \(spec 8\); give both/,
  /remaining\.(?:minute|day): found \d+; use at most the limit/,
  /: item \d+ has the same; use another/,
  /clock: found advance and set; use one of them/,
  /(?:clock|\.scale): the mode is \w+; use mode scaled/,
  /: mode system always shows the system's time; /,
  /advance the clock: it would go beyond the year 9999/,
  /add pet -?\d+: another pet has this id/,
  /add key .*: it exists already/,
]

/** A host with something of everything. */
async function usedHost() {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  sandbox.faults.add({ fault: 'status' })
  const pool = new SandboxPool()
  pool.create({ name: 'one' })
  return controlHost({ sandbox, pool })
}

const places: Readonly<Record<string, string>> = { id: '1', key: 'free-key', name: 'one' }

/** Bodies that are taken, where a described one seldom is, since its parts have to fit together. */
const fittingBodies: Readonly<Record<string, readonly unknown[]>> = {
  '/clock': [{ advance: '1s' }, { set: '2027-01-01T00:00:00Z', mode: 'frozen' }],
  '/scenario': [{ name: 'flaky' }, { name: 'minute-limit', key: 'free-key' }],
  '/snapshot': [(await usedHost()).controls.snapshot()],
}

const takers = controlsIn(description).filter(({ requestBody }) => requestBody !== undefined)

describe('a control request', () => {
  it.each(takers)('is taken where its body is described: $method $path', async (control) => {
    const schema = jsonOf(control.requestBody) ?? {}
    const isDescribed = validatorOf(schema)
    const replies = Object.entries(control.responses).map(([status, content]) => {
      const reply = jsonOf(content)
      return [Number(status), reply === undefined ? undefined : validatorOf(reply)] as const
    })
    const isDescribedReply = new Map(replies)
    const url = control.path.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '')
    const any = anyValid(schema, description.components.schemas)
    const fitting = fittingBodies[control.path]
    const valid = fitting === undefined ? any : fc.oneof(any, fc.constantFrom(...fitting))
    const seen = { taken: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.oneof(valid, valid.chain(anyChangeOf)), async (value) => {
        const json = toJson(value)
        const { status, body } = await sendControl(await usedHost(), control.method, url, json)
        if (status !== 400) {
          seen.taken++
          expect([isDescribed(JSON.parse(json)), isDescribed.errors, status]).toEqual([
            true,
            null,
            [...isDescribedReply.keys()].find((one) => one < 300),
          ])
          const isReply = isDescribedReply.get(status)
          const reply: unknown = body === '' ? undefined : JSON.parse(body)
          expect([isReply?.(reply) ?? reply === undefined, isReply?.errors ?? []]).toEqual([
            true,
            [],
          ])
          return
        }
        seen.refused++
        const { message } = JSON.parse(body)
        const isBeyond = beyondSchemas.some((rule) => rule.test(message))
        if (!isBeyond) expect([isDescribed(JSON.parse(json)), message]).toEqual([false, message])
      }),
      { numRuns: 150 },
    )
    // Or nothing was shown.
    expect(seen).toEqual({ taken: expect.toSatisfy(isSome), refused: expect.toSatisfy(isSome) })
  })

  it.each([
    { method: 'POST', path: '/pets', status: 201 },
    { method: 'PATCH', path: '/pets/1', status: 200 },
  ])('takes a category that is a string: $method $path', async ({ method, path, status }) => {
    const json = '{"name":"Rex","categoryId":"9007199254740993"}'
    const reply = await sendControl(await usedHost(), method, path, json)
    expect(reply).toMatchObject({
      status,
      body: expect.stringContaining('"categoryId":9007199254740993'),
    })
  })
})

function isSome(count: unknown): boolean {
  return Number(count) >= 10
}
