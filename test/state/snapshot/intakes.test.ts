import { describe, expect, it } from 'vitest'
import { splitJson } from '../../../src/contract/json/json-splitter.ts'
import { FullError } from '../../../src/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import type { SandboxOptions } from '../../../src/state/beginning.ts'
import { SnapshotIntake } from '../../../src/state/snapshot/snapshot-intake.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

type Snapshot = Readonly<Record<string, Readonly<Record<string, unknown>> | readonly unknown[]>>

/** A snapshot that holds nothing. */
function bare(): Snapshot {
  return JSON.parse(JSON.stringify(frozenSandbox({ seed: { pets: [], keys: [] } }).snapshot()))
}

function emptySandbox(stateBytes: number): Sandbox {
  const clock = { now: startAt, mode: 'frozen' } as const
  return new SandboxPool({ limits: { stateBytes } }).create({
    ...{ clock, seed: { pets: [], keys: [] } },
  }).sandbox
}

/** Restores a sandbox from JSON that comes in pieces. */
async function resume(sandbox: Sandbox, json: string): Promise<void> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(json)
  }
  const intake = new SnapshotIntake(sandbox.bounds())
  await splitJson(chunks(), intake)
  sandbox.resume(intake)
}

const times = Array.from({ length: 5 }, (_, index) => index + 1)
const window = { startAt: 0, endAt: 0, used: 0, refused: 0 }
const usage = (caller: string) => ({ caller, minute: { ...window, used: 7 }, day: window })

/** Five of what takes room, and how much. */
const rows: readonly {
  readonly what: string
  readonly bytes: number
  readonly parts: (snapshot: Snapshot) => Snapshot
}[] = [
  {
    what: 'pets',
    bytes: 5 * (100 + 2 * 3),
    parts: (snapshot: Snapshot) => ({
      pets: {
        ...{ ...snapshot.pets, highestId: 5, categories: [1] },
        list: times.map((id) => ({ id, name: 'Rex', categoryId: 1 })),
      },
    }),
  },
  {
    what: 'keys',
    bytes: 5 * 1_024,
    parts: () => ({ keys: times.map((id) => ({ key: `key-${id}`, plan: 'free' })) }),
  },
  {
    what: 'faults',
    bytes: 5 * 1_024,
    parts: (snapshot: Snapshot) => ({
      faults: {
        ...{ ...snapshot.faults, lastId: 5 },
        list: times.map((id) => ({ id, fault: 'timeout', seen: 0, struck: 0 })),
      },
    }),
  },
  {
    what: 'windows of keys',
    bytes: 5 * 640,
    parts: () => ({ quotas: { keys: times.map((id) => usage(`key-${id}`)), strangers: [] } }),
  },
]

describe('what a snapshot holds', () => {
  it.each(rows)('is $bytes bytes for five $what, and neither more nor less', async (row) => {
    const snapshot = { ...bare(), ...row.parts(bare()) }
    const json = JSON.stringify(snapshot)
    const ways = {
      whole: (sandbox: Sandbox) => sandbox.restore(snapshot),
      piecewise: (sandbox: Sandbox) => resume(sandbox, json),
    }
    for (const way of Object.values(ways)) {
      const fitting = emptySandbox(row.bytes)
      await way(fitting)
      expect(fitting.snapshot()).toMatchObject(snapshot)
      await expect(async () => way(emptySandbox(row.bytes - 1))).rejects.toThrow(FullError)
    }
  })

  it.each(rows)('is refused as soon as it is too much: $what', async ({ bytes, parts }) => {
    const json = JSON.stringify({ ...bare(), ...parts(bare()), more: 1 })
    const broken = json.replace('"more":1', 'this is no JSON')
    await expect(resume(emptySandbox(bytes - 1), broken)).rejects.toThrow(FullError)
    await expect(resume(emptySandbox(bytes), broken)).rejects.toThrow(SyntaxError)
  })
})

describe('a list of a snapshot', () => {
  it.each<Pick<(typeof rows)[number], 'what' | 'parts'>>([
    ...rows.map(({ what, parts }) => ({ what, parts })),
    {
      what: 'pets of a seed',
      parts: () => ({ seed: { pets: [{ id: 1, name: 'Rex', categoryId: 1 }], keys: [] } }),
    },
    {
      what: 'keys of a seed',
      parts: () => ({ seed: { pets: [], keys: [{ key: 'a', plan: 'free' }] } }),
    },
  ])('counts where it is given last, alone or with all of its part: $what', async ({ parts }) => {
    const [empty, full]: Snapshot[] = [bare(), { ...bare(), ...parts(bare()) }]
    const [name = ''] = Object.keys(parts(bare()))
    for (const [first = {}, last = {}] of [
      [empty, full],
      [full, empty],
      [full, full],
    ]) {
      const expected = frozenSandbox()
      expected.restore({ ...last, [name]: last[name] ?? {} })
      const [before, after] = [first, last].map((one) => JSON.stringify(one[name] ?? {}))
      const { [name]: _, ...others } = last
      const json = JSON.stringify(others).slice(0, -1)
      const lists = Object.entries(first[name] ?? {}).filter(([, value]) => Array.isArray(value))
      const inOne = `{${[...lists.map(([list, value]) => `"${list}":${JSON.stringify(value)}`), after?.slice(1)].join()}`
      const isList = Array.isArray(last[name])
      for (const twice of [
        `${before},"${name}":${after}`,
        isList || after === '{}' ? after : inOne,
      ]) {
        const sandbox = frozenSandbox()
        await resume(sandbox, `${json},"${name}":${twice}}`)
        expect(sandbox.snapshot()).toEqual(expected.snapshot())
      }
    }
  })

  it('of exchanges counts where it is given last', async () => {
    const original = frozenSandbox()
    await send(original)
    const snapshot = JSON.parse(JSON.stringify(original.snapshot()))
    const json = JSON.stringify(snapshot)
    const sandbox = frozenSandbox()
    await resume(sandbox, `${json.slice(0, -1)},"journal":{"lastId":0,"list":[]}}`)
    expect(sandbox.journal.entries()).toEqual([])
    const list = JSON.stringify(snapshot.journal.list)
    await resume(
      sandbox,
      `${json.slice(0, -1)},"journal":{"lastId":1,"list":${list},"list":${list}}}`,
    )
    expect(sandbox.journal.entries()).toHaveLength(1)
    await resume(sandbox, `${json.slice(0, -1)},"journal":{"lastId":1,"list":${list},"list":[]}}`)
    expect(sandbox.journal.entries()).toEqual([])
  })

  it('of windows is whole for keys, and has the latest strangers that may be', async () => {
    const callers = Array.from({ length: 50 }, (_, index) => `caller-${index}`)
    const quotas = { keys: callers.map(usage), strangers: callers.map(usage) }
    const json = JSON.stringify({ ...bare(), quotas })
    for (const strangers of [1, 3, 49, 50, 51]) {
      const limits: SandboxOptions = { limits: { strangers } }
      const sandbox = frozenSandbox(limits)
      await resume(sandbox, json)
      expect(sandbox.snapshot().quotas).toEqual({
        keys: callers.map(usage),
        strangers: callers.slice(-strangers).map(usage),
      })
    }
  })
})
