import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Pet } from '../../../src/contract/pet.ts'
import { handleControl } from '../../../src/control/http/handle-control.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { testServer } from '../../kit/test-server.ts'

/** Sends a control request to a host that counts the turns of others, and reads all of the reply. */
async function ask(sandbox: Sandbox, method: string, path: string, body: unknown = undefined) {
  let turns = 0
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const host = {
    controls: sandbox,
    origin: 'http://localhost',
    nextTurn: async () => {
      turns++
    },
  }
  const reply = await handleControl(
    { method, url: `/_sandbox${path}`, headers: text === '' ? {} : headers, body: text },
    host,
  )
  if (reply.kind === 'reply') return { ...reply, turns }
  let whole = ''
  for await (const piece of reply.pieces) whole += piece
  return { ...reply, body: whole, turns }
}

const pets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Rex ${index}`, categoryId: 1 }))

/** Makes each look at one of a store's pets take as long as at a very long one. */
function walkSlowly(sandbox: Sandbox): void {
  const { pets } = sandbox.state()
  const walk = pets.walk.bind(pets)
  const slow = vi.spyOn(pets, 'walk').mockImplementation(function* () {
    for (const pet of walk()) {
      spendTime()
      yield pet
    }
  })
  onTestFinished(() => slow.mockRestore())
}

/** A pet each look at whose name takes as long as at a very long one. */
const slowPet: Pet = {
  id: 1,
  categoryId: 1,
  status: undefined,
  get name() {
    spendTime()
    return 'Rex'
  },
}

function spendTime(): void {
  const endsAt = performance.now() + 2
  while (performance.now() < endsAt);
}

describe('a control that takes long', () => {
  it('lets others have their turn while its body is parsed, read and carried out', async () => {
    const sandbox = frozenSandbox()
    const few = await ask(sandbox, 'POST', '/pets', pets(1_000))
    const many = await ask(sandbox, 'POST', '/pets', pets(28_000))
    expect([few.status, few.kind, many.status, many.kind]).toEqual([201, 'reply', 201, 'stream'])
    expect(JSON.parse(many.body)).toEqual(sandbox.pets.list().slice(-28_000))
    // After each 64 KiB of the body, and between the steps.
    expect(many.turns).toBeGreaterThan(15)
  })

  it.each([
    { of: 'of a document', method: 'GET', act: walkSlowly },
    {
      of: 'of a result',
      method: 'POST',
      act: ({ pets }: Sandbox) => vi.spyOn(pets, 'create').mockReturnValue(Array(30).fill(slowPet)),
    },
  ])('lets others have their turn while the reply is made $of', async ({ method, act }) => {
    const sandbox = frozenSandbox()
    act(sandbox)
    const { body, turns } = await ask(sandbox, method, '/pets', method === 'GET' ? undefined : [])
    expect(JSON.parse(body)).toHaveLength(30)
    // After each 8 ms of them.
    expect(turns).toBeGreaterThanOrEqual(6)
  })

  it('gives a plain reply up to 1 MiB, in whatever pieces it is made', async () => {
    const sandbox = frozenSandbox()
    const { kind, body } = await ask(sandbox, 'POST', '/pets', pets(10_000))
    expect(kind).toBe('reply')
    expect(JSON.parse(body)).toHaveLength(10_000)
  })

  it('refuses too many faults before it reads them', async () => {
    const sandbox = frozenSandbox()
    const faults = Array.from({ length: 1_001 }, () => ({ fault: 'none of them' }))
    expect(await ask(sandbox, 'POST', '/faults', faults)).toMatchObject({
      status: 400,
      body: expect.stringContaining('there would be 1001, and 1000 are allowed'),
    })
    expect(await ask(sandbox, 'POST', '/faults', faults.slice(1))).toMatchObject({
      body: expect.stringContaining('Cannot set faults[0].fault'),
    })
  })
})

describe('a process', () => {
  it('lets others have their turn without a message channel, for which Node loads undici', async () => {
    const sandbox = frozenSandbox()
    walkSlowly(sandbox)
    const { url } = await testServer({ sandbox })
    const Channel = vi.fn(MessageChannel)
    vi.stubGlobal('MessageChannel', Channel)
    try {
      const list = await (await fetch(`${url}/_sandbox/pets`)).json()
      expect(list).toHaveLength(30)
    } finally {
      vi.unstubAllGlobals()
    }
    expect(Channel).not.toHaveBeenCalled()
  })
})
