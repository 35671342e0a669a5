import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, expect, fillJournal, repeat } from './attack.ts'
import { headOf } from './head-of.ts'
import type { Target } from './target.ts'

/** Adds pets by the control API. */
async function addPets(target: Target, count: number): Promise<void> {
  const pets = Array.from({ length: 1_000 }, () => ({ name: 'Rex', categoryId: 1 }))
  await repeat(count / 1_000, () => target.control('POST', '/pets', pets), 1)
}

const quiet = ['--rate-limit', 'reported']

/** What one who may use the control API can do. */
export const attacksOfControls: readonly Attack[] = [
  {
    name: 'an event stream that is read slowly, or not at all',
    async run(target, times) {
      for (let count = 0; count < 5 * times; count++) {
        target.open().write(headOf('GET', '/_sandbox/events'))
      }
      const slow = target.open()
      slow.write(headOf('GET', '/_sandbox/events'))
      const timer = setInterval(() => slow.read(65_536), 400)
      const body = 'x'.repeat(1_000_000)
      await repeat(30 * times, () => target.ask('POST', '/v1/pets', body), 2)
      clearInterval(timer)
    },
  },
  {
    name: 'bodies of 31 MiB from strangers',
    options: ['--control-token', 'secret'],
    async run(target, times) {
      const lines = ['Content-Type: application/json', 'Content-Length: 33554432']
      const part = Buffer.alloc(1_048_576, ' ')
      for (let count = 0; count < 6 * times; count++) {
        const socket = target.open()
        socket.write(headOf('PUT', '/_sandbox/snapshot', lines))
        for (let parts = 0; parts < 31; parts++) socket.write(part)
      }
      await sleep(1_000)
    },
  },
  {
    name: 'the whole journal, as a list and as HAR, and what few exchanges match',
    options: [...quiet, '--journal-size', '10000'],
    async run(target, times) {
      await fillJournal(target, 60 * times)
      for (const page of ['/requests', '/requests.har', '/requests?status=418', '/snapshot']) {
        await target.control('GET', page)
      }
    },
  },
  {
    name: 'the whole journal, for many who do not read it',
    options: quiet,
    async run(target, times) {
      await fillJournal(target, 60 * times)
      for (const page of ['/_sandbox/requests', '/_sandbox/requests.har']) {
        await target.openEach(5 * times, headOf('GET', page))
      }
      await sleep(1_000)
      await fillJournal(target, 60 * times)
    },
  },
  {
    name: 'a journal of many small exchanges, of which few match',
    options: [...quiet, '--journal-size', '1000000'],
    async run(target, times) {
      const socket = target.open().resume()
      for (let sent = 0; sent < times; sent++) {
        socket.write(headOf('GET', '/v1/pets/1').repeat(1_000))
        await sleep(300)
      }
      await target.control('GET', '/requests?status=418')
      await target.control('GET', '/requests?status=200&limit=5')
      await target.control('GET', '/requests')
    },
  },
  {
    name: 'many keys, and texts in which they could hide',
    options: quiet,
    async run(target, times) {
      const keys = Array.from({ length: 500 * times }, (_, index) => ({
        key: `key-${index}-of-many`,
        plan: 'free',
      }))
      await target.control('PUT', '/seed', { keys })
      const url = `/v1/pets?limit=1&x=${'%41%6b'.repeat(100)}`
      await repeat(100 * times, () => target.ask('GET', url, undefined, 'key-7-of-many'))
      await target.control('GET', '/requests')
      await target.control('GET', '/keys')
      await target.control('DELETE', '/keys/key-7-of-many')
    },
  },
  {
    name: 'a key that goes while the journal is full',
    options: quiet,
    async run(target, times) {
      await fillJournal(target, 60 * times)
      for (let count = 0; count < 5; count++) {
        await target.control('POST', '/keys', { key: `gone-${count}`, plan: 'free' })
        await target.control('DELETE', `/keys/gone-${count}`)
      }
      await target.control('PUT', '/seed', { keys: [{ key: 'other', plan: 'free' }] })
      await target.control('POST', '/reset', { only: ['keys'] })
    },
  },
  {
    name: 'more keys and faults than there may be',
    options: quiet,
    async run(target, times) {
      const faults = Array.from({ length: 1_001 }, () => ({ fault: 'latency', ms: 1 }))
      const refused = await target.ask('POST', '/_sandbox/faults', faults)
      expect(refused.status === 400, `1,001 faults get ${refused.status}`)
      await target.control(
        'POST',
        '/faults',
        faults.slice(1).map((one) => ({ ...one, times: 1 })),
      )
      await repeat(100 * times, () => target.ask('GET', '/v1/pets'))
      const keys = Array.from({ length: 9_991 }, () => target)
      let last = 0
      if (times > 1) {
        await repeat(keys.length + 1, async () => {
          last = (await target.ask('POST', '/_sandbox/keys', { plan: 'free' })).status
        })
        expect(last === 400, `the last of too many keys gets ${last}`)
      }
    },
  },
  {
    name: 'bodies of 1 MiB that are nested, or hold a long string',
    async run(target, times) {
      const bodies = [
        '['.repeat(500_000) + ']'.repeat(500_000),
        `{"name":"${'\\n'.repeat(500_000)}","categoryId":9007199254740993}`,
        `[${'{"name":"a","categoryId":1},'.repeat(30_000)}{}]`,
      ]
      await repeat(
        3 * times,
        (index) => {
          return target.ask('POST', '/_sandbox/pets', bodies[index % bodies.length] ?? '')
        },
        1,
      )
    },
  },
  {
    name: 'snapshots that lie: deep faults, many strangers, a huge journal',
    async run(target, times) {
      await target.ask('GET', '/v1/pets')
      const snapshot = JSON.parse(await target.control('GET', '/snapshot'))
      const [entry] = snapshot.journal.list
      const deep = `${'['.repeat(90)}${']'.repeat(90)}`
      const lie = {
        ...snapshot,
        journal: { lastId: 1, list: [{ ...entry, faults: JSON.parse(deep) }] },
      }
      const refused = await target.ask('PUT', '/_sandbox/snapshot', lie)
      expect(refused.status === 400, `a deep fault gets ${refused.status}`)
      const [stranger] = [...snapshot.quotas.strangers, ...snapshot.quotas.keys]
      const strangers = Array.from({ length: 5_000 * times }, (_, index) => ({
        ...stranger,
        caller: `stranger-${index}`,
      }))
      const quotas = { ...snapshot.quotas, strangers }
      await target.control('PUT', '/snapshot', { ...snapshot, quotas })
      const body = 'x'.repeat(60_000)
      const list = Array.from({ length: 40 * times }, (_, index) => ({
        ...entry,
        id: index + 1,
        request: { ...entry.request, body },
      }))
      await target.control('PUT', '/snapshot', { ...snapshot, journal: { lastId: 1_000, list } })
      const size = (await target.control('GET', '/snapshot')).length
      expect(size < 70_000_000, `the snapshot has ${size} characters`)
    },
  },
  {
    name: 'many pets: listed, reset, reseeded, cleared, and in a snapshot',
    options: [...quiet, '--pets', '100000'],
    async run(target, times) {
      await addPets(target, 20_000 * times)
      await target.control('GET', '/pets')
      await target.control('GET', '/pets?name=nobody')
      await target.control('PATCH', '/gaps', { listOrder: 'id-descending' })
      await target.ask('GET', '/v1/pets?limit=100')
      await target.control('GET', '/snapshot')
      await target.control('POST', '/reset', { only: ['quotas'] })
      await target.control('POST', '/reset')
      for (let count = 0; count < 5 * times; count++) await target.control('POST', '/sandboxes', {})
      await target.control('DELETE', '/pets')
    },
  },
  {
    name: 'seeds of 32 MB: pets in any order, keys, a long string, blanks',
    options: quiet,
    async run(target, times) {
      const pets = Array.from({ length: 20_000 * times }, (_, index) => ({
        ...{ id: index + 1, name: 'Rex', categoryId: index },
      }))
      for (const seed of [{ pets }, { pets: pets.toReversed() }]) {
        await target.control('PUT', '/seed', seed)
        await target.control('PUT', '/snapshot', await target.control('GET', '/snapshot'))
        await target.control('POST', '/reset')
      }
      const keys = Array.from({ length: 1_000 * times }, (_, index) => ({
        key: `seed-${index}`,
        plan: 'free',
      }))
      await target.control('PUT', '/seed', { keys })
      for (const name of ['minute-limit', 'banned']) {
        await target.control('POST', '/scenario', { name })
      }
      await target.control('GET', '/status')
      const long = 'x'.repeat(3_200_000 * times)
      for (const odd of [`{"pets":[{"id":1,"name":"${long}"}]}`, `{"${long}":1}`]) {
        const { status } = await target.ask('PUT', '/_sandbox/seed', odd)
        expect(status === 400, `a long string gets ${status}`)
      }
      await target.control('PUT', '/seed', `{${' '.repeat(3_200_000 * times)}}`)
    },
  },
  {
    name: 'snapshots of 32 MB of which nobody reads anything',
    async run(target, times) {
      const count = 1_000_000 * times
      for (const more of [`[${'[],'.repeat(count)}[]]`, `"${'x'.repeat(3 * count)}"`]) {
        const lie = `{"petstoreSandbox":1,"more":${more}}`
        const { status } = await target.ask('PUT', '/_sandbox/snapshot', lie)
        expect(status === 400, `a snapshot without parts gets ${status}`)
      }
    },
  },
  {
    name: 'more faults in a body than there may be, or more properties than it could mean',
    options: quiet,
    async run(target, times) {
      const faults = Array.from({ length: 1_000 * times }, () => ({ fault: 'latency', ms: 1 }))
      const members = Array.from({ length: 7_000 * times }, (_, index) => `"p${index}":1`)
      const pet = `{"name":"a","categoryId":1,${members}}`
      for (let count = 0; count < 3; count++) {
        await target.ask('POST', '/_sandbox/faults', faults)
        await target.ask('POST', '/_sandbox/pets', pet)
        await target.ask('POST', '/v1/pets', pet)
      }
    },
  },
  {
    name: 'a verdict, a capture and counterfactuals of a long past; 100,000 pets in shuffled order',
    options: [...quiet, '--journal-size', '1000000'],
    async run(target, times) {
      await fillJournal(target, 14 * times)
      const socket = target.open().resume()
      for (let sent = 0; sent < times; sent++) {
        socket.write(headOf('GET', '/v1/pets/1').repeat(1_000))
        await sleep(300)
      }
      for (const page of ['/audit', '/capture', '/counterfactual', '/status']) {
        await target.control('GET', page)
      }
      await addPets(target, 10_000 * times)
      await target.control('PATCH', '/gaps', { listOrder: 'shuffled' })
      await target.ask('GET', '/v1/pets?limit=100')
    },
  },
  {
    name: 'sandboxes with seeds of their own, as large as a body may be',
    async run(target, times) {
      const pets = Array.from({ length: 20_000 }, (_, index) => ({
        ...{ id: index + 1, name: 'Rex', categoryId: 1 },
      }))
      let last = 201
      for (let count = 0; count < 8 * times && last === 201; count++) {
        last = (await target.ask('POST', '/_sandbox/sandboxes', { seed: { pets } })).status
      }
      expect(times < 10 || last === 400, `the last of too many seeds gets ${last}`)
    },
  },
]
