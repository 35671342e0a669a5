import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkState } from '../../../src/mock/state/state.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { anyInt64, anyText } from '../../kit/arbitraries.ts'
import { draws } from '../../kit/draws.ts'
import { send } from '../../kit/send.ts'
import { metIn, Sometimes } from '../../kit/sometimes.ts'

const statuses = ['available', 'pending', 'sold'] as const

type Step =
  | {
      readonly does: 'create'
      readonly name: string
      readonly categoryId: bigint
      readonly status: string
    }
  | { readonly does: 'create-wrongly' }
  | { readonly does: 'get'; readonly id: number }
  | { readonly does: 'list'; readonly limit: number; readonly status: string | undefined }
  | { readonly does: 'wait'; readonly ms: number }

/** A pet store of a few lines: a map of pets, and two windows of one key. */
class Model {
  readonly limits = { minute: 8, day: 20 }
  readonly #pets = new Map<number, { readonly json: string; readonly status: string }>()
  readonly #windows = { minute: { startAt: 0, used: 0 }, day: { startAt: 0, used: 0 } }
  now = Date.UTC(2026, 0, 1, 23, 58, 30)

  /** The status, the body if it matters, and what is left of the window with the fewest requests left. */
  answer(step: Step): { status: number; body?: string; remaining: number } {
    const left = this.#spend()
    if (left < 0) return { status: 429, remaining: 0 }
    return { ...this.#run(step), remaining: left }
  }

  #spend(): number {
    const windows = [
      { of: this.#windows.minute, lengthMs: 60_000, limit: this.limits.minute },
      { of: this.#windows.day, lengthMs: 86_400_000, limit: this.limits.day },
    ]
    for (const { of, lengthMs } of windows) {
      const startAt = this.now - (this.now % lengthMs)
      if (startAt !== of.startAt) Object.assign(of, { startAt, used: 0 })
    }
    const left = Math.min(...windows.map(({ of, limit }) => limit - of.used)) - 1
    if (left >= 0) for (const { of } of windows) of.used++
    return left
  }

  #run(step: Step): { status: number; body?: string } {
    switch (step.does) {
      case 'create': {
        const id = this.#pets.size + 1
        const { name, categoryId, status } = step
        const json = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
        this.#pets.set(id, { json, status })
        return { status: 201, body: json }
      }
      case 'get': {
        const found = this.#pets.get(step.id)
        return found === undefined ? { status: 404 } : { status: 200, body: found.json }
      }
      case 'list': {
        const fitting = [...this.#pets.values()].filter(
          ({ status }) => step.status === undefined || status === step.status,
        )
        const page = fitting.slice(0, step.limit).map(({ json }) => json)
        return { status: 200, body: `[${page.join(',')}]` }
      }
      default:
        return { status: 400 }
    }
  }
}

async function sendStep(sandbox: Sandbox, step: Step) {
  switch (step.does) {
    case 'create': {
      const { name, categoryId, status } = step
      const json = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
      return send(sandbox, { json })
    }
    case 'get':
      return send(sandbox, { url: `/v1/pets/${step.id}` })
    case 'list': {
      const filter = step.status === undefined ? '' : `&status=${step.status}`
      return send(sandbox, { url: `/v1/pets?limit=${step.limit}${filter}` })
    }
    default:
      return send(sandbox, { json: '{"name":"Rex"}' })
  }
}

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('create' as const),
    name: anyText,
    categoryId: anyInt64,
    status: fc.constantFrom(...statuses),
  }),
  fc.record({ does: fc.constant('create-wrongly' as const) }),
  fc.record({ does: fc.constant('get' as const), id: fc.nat(8) }),
  fc.record({
    does: fc.constant('list' as const),
    limit: fc.integer({ min: 1, max: 6 }),
    status: fc.constantFrom(undefined, ...statuses),
  }),
  fc.record({
    does: fc.constant('wait' as const),
    ms: fc.oneof(fc.nat(40_000), fc.nat(90_000_000)),
  }),
)

describe('a sandbox', () => {
  it('behaves as a map of pets and two windows do, over any sequence of requests and waits', async () => {
    const sometimes = new Sometimes('a rate limit', 'a new pet', 'an error', 'a success')
    const steps = fc.array(anyStep, { maxLength: 80, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const model = new Model()
        const keys = [{ key: 'free-key', plan: 'free' as const, limits: model.limits }]
        const sandbox = createSandbox({
          seed: { pets: [], keys },
          gaps: { banAfter: 'never' },
          clock: { now: model.now, mode: 'frozen' },
        })
        for (const step of sequence) {
          if (step.does === 'wait') {
            model.now += step.ms
            sandbox.clock.advance(step.ms)
            continue
          }
          const { status, body, remaining } = model.answer(step)
          const reply = await sendStep(sandbox, step)
          expect(reply.status).toBe(status)
          expect(reply.headers['x-ratelimit-remaining']).toBe(String(remaining))
          if (body !== undefined) expect(reply.body).toBe(body)
          checkState(sandbox.state())
        }
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(60) },
    )
    sometimes.expectAllMet()
  })
})
