import { describe, expect, it, vi } from 'vitest'
import { splitJson } from '../../../src/contract/json/json-splitter.ts'
import { InputError } from '../../../src/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { usualBounds } from '../../../src/state/memory/memory.ts'
import { SeedPets } from '../../../src/state/pets/seed-pets.ts'
import { SnapshotIntake } from '../../../src/state/snapshot/snapshot-intake.ts'
import { snapshotPieces } from '../../../src/state/snapshot/snapshot-pieces.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'
import { sendMany } from '../../kit/send-many.ts'
import saved from './snapshot-0.1.0.json' with { type: 'json' }

/** A sandbox with something in every part. */
async function busySandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox({ gaps: { idSequence: 'random', listOrder: 'shuffled' } })
  sandbox.reseed({ pets: [{ id: 2n ** 62n, name: 'Zoë 🐢 "\\', categoryId: -(2n ** 62n) }] })
  sandbox.faults.add({ fault: 'latency', ms: 0, probability: 0.5 })
  sandbox.keys.issue({ key: 'own-key', plan: 'free', ban: '1h' })
  const json = '{"name":"Rex","categoryId":9007199254740993}'
  for (let count = 0; count < 5; count++) await sandbox.handle(requestOf({ json }))
  await sendMany(sandbox, 65)
  return sandbox
}

function textOf(sandbox: Sandbox): string {
  return `{${[...snapshotPieces(sandbox.state())].join('')}}`
}

async function* chunksOf(json: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(json)
  for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100)
}

/** Restores a sandbox from JSON that comes in pieces. */
async function resume(sandbox: Sandbox, json: string): Promise<void> {
  const intake = new SnapshotIntake(usualBounds())
  await splitJson(chunksOf(json), intake)
  sandbox.resume(intake)
}

describe('snapshotPieces()', () => {
  it('gives what snapshot() gives, byte for byte', async () => {
    const sandbox = await busySandbox()
    expect(textOf(sandbox)).toBe(JSON.stringify(sandbox.snapshot()))
    expect(textOf(frozenSandbox())).toBe(JSON.stringify(frozenSandbox().snapshot()))
  })

  it('gives the state as it was when it was taken, whatever changes while it is read', async () => {
    const sandbox = await busySandbox()
    sandbox.faults.add({ fault: 'latency', ms: 1, key: 'own-key' })
    const before = textOf(sandbox)
    const pieces = snapshotPieces(sandbox.state())[Symbol.iterator]()
    let text = '{'
    for (let read = 0; read < 5; read++) text += pieces.next().value
    sandbox.pets.create([
      { name: 'New', categoryId: 1 },
      { id: 3, name: 'Low', categoryId: 1 },
    ])
    sandbox.pets.delete(2n ** 62n)
    await sendMany(sandbox, 5)
    sandbox.keys.delete('own-key')
    sandbox.keys.delete('free-key')
    sandbox.faults.clear()
    sandbox.clock.advance('1d')
    sandbox.journal.clear()
    sandbox.setGaps({ banAfter: 3 })
    for (let next = pieces.next(); !next.done; next = pieces.next()) text += next.value
    expect(`${text}}`).toBe(before)
  })
})

describe('SnapshotIntake', () => {
  it.each([
    ['keys'],
    ['seed', 'pets'],
    ['seed', 'keys'],
    ['faults', 'list'],
    ['pets', 'list'],
    ['pets', 'categories'],
    ['journal', 'list'],
    ['quotas', 'strangers'],
    ['nobody reads this'],
    ['nor', 7, 'that'],
  ])('takes item by item what may be long: %s %s', (...path) => {
    const intake = new SnapshotIntake(usualBounds())
    const parents = path.slice(0, -1).map((_, end) => path.slice(0, end + 1))
    for (const parent of parents) expect(intake.opens(parent, 'object')).toBe(true)
    expect(intake.opens(path, 'array')).toBe(true)
    const isRead = !String(path[0]).startsWith('no')
    expect(intake.opens([...path, 0], 'object')).toBe(!isRead)
  })

  it('looks through any depth of what nobody reads, and refuses what is no JSON in it', async () => {
    const sandbox = frozenSandbox()
    const whole = textOf(sandbox).slice(0, -1)
    const deep = `${'['.repeat(150)}1${']'.repeat(150)}`
    await resume(sandbox, `${whole},"more":{"a":[[],{},{"b":[1,"]"]}],"deep":${deep}}}`)
    await expect(resume(sandbox, `${whole},"more":{"a":[01]}}`)).rejects.toThrow(SyntaxError)
  })

  it('goes on with a seed that was replaced, whose pets are in order already', async () => {
    const original = frozenSandbox()
    const pets = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ id: index + 1, name: 'A', categoryId: index },
    }))
    original.reseed({ pets, keys: [{ key: 'own-key', plan: 'free' }] })
    const sandbox = frozenSandbox()
    const intake = new SnapshotIntake(sandbox.bounds())
    await splitJson(chunksOf(textOf(original)), intake)
    sandbox.resume(intake)
    const add = vi.spyOn(SeedPets.prototype, 'add')
    sandbox.reset()
    expect(add).not.toHaveBeenCalled()
    add.mockRestore()
    expect(sandbox.pets.size).toBe(3_000)
    expect(sandbox.keys.list()).toHaveLength(1)
  })

  it('restores what restore() restores', async () => {
    const original = await busySandbox()
    const [piecewise, whole] = [frozenSandbox(), frozenSandbox()]
    await resume(piecewise, textOf(original))
    whole.restore(original.snapshot())
    expect(textOf(piecewise)).toBe(textOf(whole))
    for (const request of [
      requestOf({ url: '/v1/pets?limit=100', key: 'pro-key' }),
      requestOf({}),
    ]) {
      expect(await piecewise.handle(request)).toEqual(await whole.handle(request))
    }
  })

  it('takes a snapshot of 0.1.0, and one with its parts in another order', async () => {
    const sandbox = frozenSandbox()
    sandbox.restore(saved)
    const expected = textOf(sandbox)
    for (const document of [saved, Object.fromEntries(Object.entries(saved).reverse())]) {
      const other = frozenSandbox()
      await resume(other, JSON.stringify(document, undefined, 1))
      expect(textOf(other)).toBe(expected)
    }
  })

  it('takes the last of what is given twice, as JSON.parse does', async () => {
    const text = JSON.stringify(saved).slice(0, -1)
    const [sandbox, other] = [frozenSandbox(), frozenSandbox()]
    await resume(
      sandbox,
      `${text},"pets":{"list":[],"list":[{"id":7,"name":"A","categoryId":1}],
      "categories":[],"highestId":9,"random":1,"shuffleSeed":1}}`,
    )
    expect(sandbox.pets.list()).toEqual([{ id: 7, name: 'A', categoryId: 1 }])
    const usage = (caller: string) => ({ ...saved.quotas.keys[0], caller })
    await resume(
      other,
      `${text},"quotas":{"keys":${JSON.stringify([usage('a'), usage('b')])},"strangers":
      ${JSON.stringify([usage('c')])},"keys":${JSON.stringify([usage('d')])},"strangers":[]}}`,
    )
    expect(JSON.parse(textOf(other)).quotas).toEqual({ keys: [usage('d')], strangers: [] })
    await expect(resume(other, `${text},"pets":5}`)).rejects.toThrow('snapshot.pets: found 5')
  })

  it.each([
    { what: 'no object', json: '[]', message: 'Cannot set snapshot: found an array of 0' },
    { what: 'no snapshot', json: '{"a":1}', message: 'Cannot set snapshot: found an object' },
    {
      what: 'another version',
      json: '{"petstoreSandbox":2,"pets":1',
      message: 'Cannot set snapshot: found a snapshot of version 2; use one of version 1',
    },
    {
      what: 'a pet without a name',
      json: JSON.stringify({ ...saved, pets: { ...saved.pets, list: [{ id: 1, categoryId: 1 }] } }),
      message: 'Cannot set snapshot.pets.list[0].name: it is missing; use a string',
    },
    {
      what: 'a pet twice',
      json: JSON.stringify({
        ...saved,
        pets: { ...saved.pets, list: [1, 1].map((id) => ({ id, name: 'A', categoryId: 1 })) },
      }),
      message: 'Cannot add pet 1: another pet has this id',
    },
    {
      what: 'no list of pets',
      json: JSON.stringify({ ...saved, pets: { ...saved.pets, list: undefined } }),
      message: 'Cannot set snapshot.pets.list: it is missing',
    },
    {
      what: 'a list that is none',
      json: JSON.stringify({ ...saved, pets: { ...saved.pets, list: {} } }),
      message: 'Cannot set snapshot.pets.list: found an object; use an array',
    },
    {
      what: 'an unknown property of the pets',
      json: JSON.stringify({ ...saved, pets: { ...saved.pets, oops: 1 } }),
      message: 'Cannot set snapshot.pets.oops: unknown property',
    },
    {
      what: 'an odd exchange',
      json: JSON.stringify({ ...saved, journal: { lastId: 1, list: [{ id: 'x' }] } }),
      message: 'Cannot set snapshot.journal.list[0]',
    },
    {
      what: 'a caller without a name',
      json: JSON.stringify({ ...saved, quotas: { ...saved.quotas, strangers: [{}] } }),
      message: 'Cannot set snapshot.quotas.strangers[0].caller: it is missing',
    },
    {
      what: 'one list of callers',
      json: JSON.stringify({ ...saved, quotas: { keys: saved.quotas.keys } }),
      message: 'Cannot set snapshot.quotas.strangers: it is missing',
    },
    {
      what: 'an unknown property of the quotas',
      json: JSON.stringify({ ...saved, quotas: { ...saved.quotas, oops: 1 } }),
      message: 'Cannot set snapshot.quotas.oops: unknown property',
    },
    {
      what: 'callers that are no list',
      json: JSON.stringify({ ...saved, quotas: { ...saved.quotas, strangers: 5 } }),
      message: 'Cannot set snapshot.quotas.strangers: found 5; use an array',
    },
    {
      what: 'no quotas',
      json: JSON.stringify({ ...saved, quotas: undefined }),
      message: 'Cannot set snapshot.quotas: it is missing',
    },
  ])('refuses $what with its place, and changes nothing', async ({ json, message }) => {
    const sandbox = await busySandbox()
    const before = textOf(sandbox)
    const asked = resume(sandbox, json)
    await expect(asked).rejects.toThrow(InputError)
    await expect(asked).rejects.toThrow(message)
    expect(textOf(sandbox)).toBe(before)
  })
})
