import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, expect, repeat } from './attack.ts'
import { headOf } from './head-of.ts'
import type { Target } from './target.ts'

const ofJson = ['Authorization: Bearer free-key', 'Content-Type: application/json']

const wide = JSON.stringify({ name: 1, x: '\u4e2d'.repeat(65_600) })

/** Sends pets whose bodies have 1 MB. */
function postLarge(target: Target, count: number): Promise<void> {
  const body = 'x'.repeat(1_000_000)
  return repeat(count, () => target.ask('POST', '/v1/pets', body), 2)
}

/** Adds as many pets as a page has, whose names take six characters in JSON for each of their own. */
function addLongNames(target: Target): Promise<void> {
  const longest = { name: '\u0001'.repeat(1_000), categoryId: 1, status: 'sold' }
  return repeat(100, () => target.ask('POST', '/v1/pets', longest))
}

/** Asks for a page on many connections, and reads none. */
async function openUnread(target: Target, count: number): Promise<void> {
  await target.openEach(count, headOf('GET', '/v1/pets?limit=100&status=sold'))
  await sleep(2_000)
}

/** What any client can do, with a key or without. */
export const attacksOfClients: readonly Attack[] = [
  {
    name: 'bodies of 1 MB, which the journal cuts',
    async run(target, times) {
      await postLarge(target, 20 * times)
    },
  },
  {
    name: 'bodies of 1 MB on many connections, all of which end at once',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      const sockets = []
      for (let opened = 0; opened < 30 * times; opened++) {
        const socket = target.open().resume()
        socket.write(headOf('POST', '/v1/pets', [...ofJson, 'Content-Length: 1000000']))
        socket.write('x'.repeat(999_999))
        sockets.push(socket)
        await sleep(10)
      }
      const answers = sockets.map((socket) => once(socket, 'data'))
      for (const socket of sockets) socket.write('x')
      await Promise.all(answers)
    },
  },
  {
    name: 'the journals of sandboxes made on use, each full of wide bodies',
    options: ['--auto-create'],
    async run(target, times) {
      for (let number = 0; number < 3 * times; number++) {
        await repeat(100, () => target.ask('POST', `/sandboxes/j${number}/v1/pets`, wide))
      }
    },
  },
  {
    name: 'more sandboxes made on use than there may be',
    options: ['--auto-create'],
    async run(target, times) {
      await repeat(110 * times, (index) => target.ask('GET', `/sandboxes/n${index}/v1/pets`))
    },
  },
  {
    name: 'invalid tokens, many and long, in sandboxes made on use',
    options: ['--auto-create'],
    async run(target, times) {
      await repeat(600 * times, (index) => {
        const token = `${index}-`.padEnd(15_000, 'k')
        return target.ask('GET', `/sandboxes/s${index % 20}/v1/pets`, undefined, token)
      })
    },
  },
  {
    name: 'names of 1 MB, and names as long as they may be in pages that nobody reads',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      const tooLong = { name: 'x'.repeat(1_000_000), categoryId: 1 }
      const refused = await target.ask('POST', '/v1/pets', tooLong)
      expect(refused.status === 400, `a name of 1 MB gets ${refused.status}`)
      await addLongNames(target)
      await openUnread(target, 25 * times)
    },
  },
  {
    name: 'pages of 60 KB, no two alike, sent for at once and not read',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      await addLongNames(target)
      const pages = [9, 10, 11].map((limit) => `/v1/pets?limit=${limit}&status=sold`)
      const requests = pages.map((page) => headOf('GET', page)).join('')
      await target.openEach(5 * times, requests.repeat(300))
      await sleep(2_000)
    },
  },
  {
    name: 'requests sent at once on a connection, whose replies nobody reads',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      await target.openEach(2 * times, headOf('GET', '/v1/pets?limit=100').repeat(5_000))
      await sleep(2_000)
    },
  },
  {
    name: 'requests sent at once on hundreds of connections, while the server has no time',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      const requests = headOf('GET', '/v1/pets?limit=1').repeat(900)
      await target.whileLate(async () => {
        for (let opened = 0; opened < 50 * times; opened++) target.open().write(requests)
        await sleep(2_000)
      })
      await sleep(3_000)
    },
  },
  {
    name: 'requests sent at once on a connection, all of which a fault leaves waiting',
    options: ['--rate-limit', 'reported'],
    async run(target, times) {
      await target.control('POST', '/faults', { fault: 'timeout', operation: 'listPets' })
      await target.openEach(2 * times, headOf('GET', '/v1/pets').repeat(10_000))
      // As much as is read of a connection at once.
      await target.openEach(5 * times, headOf('GET', '/v1/pets').repeat(1_000))
      await sleep(5_000)
    },
  },
  {
    name: 'connections that send nothing',
    async run(target, times) {
      for (let count = 0; count < 150 * times; count++) target.open()
      await sleep(500)
      // The first ones end after some seconds without a request.
      for (let tries = 0; tries < 60; tries++) {
        const isServed = await target.expectServing().then(
          () => true,
          () => false,
        )
        if (isServed) return
        await sleep(500)
      }
      throw new Error('it serves nobody else')
    },
  },
  {
    name: 'JSON that takes long to read: brackets, and integers beyond 2^53',
    async run(target, times) {
      const bodies = ['['.repeat(1_000_000), `[${'"",'.repeat(260_000)}9007199254740993]`]
      await repeat(2 * times, (index) => target.ask('POST', '/v1/pets', bodies[index % 2] ?? ''), 2)
    },
  },
  {
    name: 'more pets than there is room for',
    options: ['--rate-limit', 'reported', '--limit', 'stateBytes=200000'],
    async run(target, times) {
      const pet = { name: 'x'.repeat(900), categoryId: 1 }
      await repeat(30 * times, () => target.ask('POST', '/v1/pets', pet))
      for (let more = 0; more < 150; more++) {
        const { status } = await target.ask('POST', '/v1/pets', pet)
        if (status === 503) return
      }
      throw new Error('none is refused')
    },
  },
]
