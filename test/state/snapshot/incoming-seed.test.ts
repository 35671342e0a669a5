import { describe, expect, it } from 'vitest'
import { splitJson } from '../../../src/contract/json/json-splitter.ts'
import { InputError } from '../../../src/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { Memory, usualBounds } from '../../../src/state/memory/memory.ts'
import { IncomingSeed } from '../../../src/state/snapshot/incoming-seed.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

const encoder = new TextEncoder()

/** Reads a seed that comes in small chunks. */
async function read(json: string, bounds = usualBounds()) {
  const bytes = encoder.encode(json)
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += 5) yield bytes.subarray(start, start + 5)
  }
  const seed = new IncomingSeed(bounds)
  await splitJson(chunks(), seed, seed.longestPart)
  return seed.end()
}

/** Everything that a sandbox has, and what it goes back to. */
function all(sandbox: Sandbox) {
  const { journal: _, ...now } = sandbox.snapshot()
  sandbox.pets.clear()
  sandbox.reset()
  return { now, seed: [sandbox.pets.list(), sandbox.keys.list()] }
}

const pet = { id: 1, name: 'A', categoryId: 1 }

describe('IncomingSeed', () => {
  it.each([
    { what: 'nothing', json: '{}' },
    {
      what: 'pets',
      json: '{"pets":[{"id":3,"name":"C","categoryId":9},{"id":1,"name":"A","categoryId":1,"status":"sold"}]}',
    },
    {
      what: 'pets with large ids',
      json: '{"pets":[{"id":9223372036854775807,"name":"L","categoryId":-9223372036854775808}]}',
    },
    { what: 'no pets', json: '{"pets":[]}' },
    {
      what: 'keys',
      json: '{"keys":[{"key":"own","plan":"pro","ban":"1h","expiresAt":"2040-01-01"}]}',
    },
    {
      what: 'both, one of them twice',
      json: '{"keys":[],"pets":[{"id":7,"name":"Z","categoryId":1}],"keys":[{"key":"k1","plan":"free"}]}',
    },
  ])('gives what reseed() takes: $what', async ({ json }) => {
    const [piecewise, whole] = [frozenSandbox(), frozenSandbox()]
    piecewise.sow(await read(json, piecewise.bounds()))
    // As the API has them; JSON.parse() would lose digits.
    whole.reseed(JSON.parse(json.replace(/:(-?\d{16,})/g, ':"$1"')))
    expect(all(piecewise)).toEqual(all(whole))
  })

  it.each([
    { what: 'no object', json: '[]' },
    { what: 'null', json: 'null' },
    { what: 'an unknown property', json: '{"oops":1}' },
    { what: 'a list with an inherited name', json: '{"toString":[1]}' },
    { what: 'pets that are no list', json: '{"pets":{"id":1}}' },
    { what: 'pets that were a list before', json: '{"pets":[],"pets":5}' },
    {
      what: 'a pet without a name',
      json: JSON.stringify({ pets: [pet, { id: 2, categoryId: 1 }] }),
    },
    { what: 'a pet twice', json: JSON.stringify({ pets: [pet, { ...pet, id: 2 }, pet] }) },
    { what: 'a long name', json: JSON.stringify({ pets: [{ ...pet, name: 'x'.repeat(1_001) }] }) },
    { what: 'a key twice', json: '{"keys":[{"key":"a","plan":"free"},{"key":"a","plan":"pro"}]}' },
    { what: 'a key without limits', json: '{"keys":[{"key":"a","plan":"enterprise"}]}' },
  ])('refuses as reseed() does: $what', async ({ json }) => {
    const message = (act: () => unknown): string => {
      try {
        act()
      } catch (error) {
        return String(error)
      }
      throw new Error('Cannot compare: nothing is refused')
    }
    const expected = message(() => frozenSandbox().reseed(JSON.parse(json)))
    const asked = read(json)
    await expect(asked).rejects.toThrow(InputError)
    expect(await asked.catch(String)).toBe(expected)
  })

  it('refuses more than there is room for as soon as that is known', async () => {
    const bounds = { ...usualBounds(), memory: new Memory({ stateBytes: 1_000 }) }
    const pets = Array.from({ length: 9 }, (_, index) => ({ ...pet, id: index + 1 }))
    await expect(read(JSON.stringify({ pets }), bounds)).resolves.toBeDefined()
    const more = `${JSON.stringify({ pets: [...pets, { ...pet, id: 10 }] }).slice(0, -2)}, this is not JSON`
    await expect(read(more, bounds)).rejects.toThrow('Cannot hold more')
    const keys = JSON.stringify({ keys: [{ key: 'a', plan: 'free' }] })
    await expect(read(keys, bounds)).rejects.toThrow('Cannot hold more')
  })

  it.each([
    { what: 'a name', json: `{"pets":[{"id":1,"name":"${'x'.repeat(300_000)}` },
    { what: 'the name of a property', json: `{"${'x'.repeat(300_000)}` },
    { what: 'a property that means nothing', json: `{"x":{"y":"${'x'.repeat(300_000)}` },
  ])('refuses $what before all of it is there, if it is too long for any pet', async ({ json }) => {
    await expect(read(json)).rejects.toThrow('longer than 268144 characters; use less')
  })

  it('takes a pet with the longest name that there may be', async () => {
    const bounds = usualBounds()
    const limits = { ...bounds.limits, nameLength: 1_048_576 }
    const name = '\u0001'.repeat(1_048_576)
    const { pets } = await read(JSON.stringify({ pets: [{ ...pet, name }] }), { ...bounds, limits })
    expect(pets?.[0]?.name === name).toBe(true)
  })
})
