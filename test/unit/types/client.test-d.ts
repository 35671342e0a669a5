import { describe, expectTypeOf, it } from 'vitest'
import type { SandboxClient } from '../../../src/client/sandbox-client.ts'
import type { Int64 } from '../../../src/mock/api/int64.ts'
import type { RequestView } from '../../../src/mock/log/request-view.ts'
import type { Fault } from '../../../src/mock/state/faults.ts'
import type { KeyView } from '../../../src/sandbox/controls/keys.ts'

declare const client: SandboxClient

describe('SandboxClient', () => {
  it('gives one for one, and an array for an array', () => {
    const pet = { name: 'Rex', categoryId: 1 }
    expectTypeOf(client.pets.create(pet)).resolves.toHaveProperty('id').toEqualTypeOf<Int64>()
    expectTypeOf(client.pets.create([pet])).resolves.items.toHaveProperty('id')
    expectTypeOf(client.faults.add({ fault: 'timeout' })).resolves.toEqualTypeOf<Fault>()
    expectTypeOf(client.faults.add([{ fault: 'timeout' }])).resolves.toEqualTypeOf<Fault[]>()
  })

  it('has the arguments of a route in the order of its path, and then its body or query', () => {
    expectTypeOf(client.keys.update).parameter(0).toEqualTypeOf<string>()
    expectTypeOf(client.keys.update).returns.resolves.toEqualTypeOf<KeyView>()
    expectTypeOf(client.requests.list).returns.resolves.items.toEqualTypeOf<RequestView>()
    expectTypeOf(client.setRateLimits).parameter(0).toEqualTypeOf<'enforce' | 'report-only'>()
    expectTypeOf(client.rateLimits).returns.resolves.toEqualTypeOf<'enforce' | 'report-only'>()
    expectTypeOf(client.restore).parameter(0).toEqualTypeOf<unknown>()
    expectTypeOf(client.sandboxes.delete).parameters.toEqualTypeOf<[string]>()
    expectTypeOf(client.reset).toBeCallableWith()
    expectTypeOf(client.scenario).toBeCallableWith('banned', { key: 'free-key' })
    expectTypeOf(client.saveState).toBeCallableWith()
  })

  it('gives events as an async iterable of entries', () => {
    expectTypeOf(client.events()).toExtend<AsyncIterable<RequestView>>()
    expectTypeOf(client.events().ready).resolves.toEqualTypeOf<void>()
  })

  it('rejects what a control does not take', () => {
    // @ts-expect-error: a duration is a string or a number.
    client.clock.advance(true)
    // @ts-expect-error: a change of the key is needed.
    client.keys.update('free-key')
    // @ts-expect-error: there is no such scenario.
    client.scenario('doom')
    // @ts-expect-error: there is no such option of a scenario.
    client.scenario('banned', { keys: 'free-key' })
    // @ts-expect-error: a mode has no options.
    client.setRateLimits('report-only', {})
  })
})
