import { describe, expect, inject, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import type { GapSettings } from '../../../../src/index.ts'
import { gapNames, gaps } from '../../../../src/mock/api/gaps.ts'
import { Random } from '../../../../src/mock/state/random.ts'
import { draws } from '../../../kit/draws.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'
import { oddRequests, Recorder, type Sent } from '../../../unit/checks/calibrate/recorder.ts'
import { wrongIn } from '../../../unit/checks/calibrate/wrong-in.ts'

const firstSeed = inject('testSeed')

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.next() % items.length] as Item
}

/** Random choices, most of them others than the default. */
function randomGaps(random: Random): Record<string, string | number> {
  const made = gapNames.flatMap((name): [string, string | number][] => {
    const gap = gaps[name]
    if (random.next() % 3 === 0) return []
    if (gap.kind === 'enum') return [[name, pick<string | number>(random, gap.values)]]
    if (name === 'maxNameLength') {
      return [[name, pick(random, [0, 1, 3, 12, 20, 200, 1_000, 'never'] as const)]]
    }
    if (gap.kind === 'count') return [[name, pick<string | number>(random, [0, 1, 3, 12, 'never'])]]
    if (gap.kind === 'duration') return [[name, pick(random, ['5s', '90s', '5m', '1h', '90500ms'])]]
    if (gap.kind === 'instant') return [[name, '2024-03-01T00:00:07Z']]
    return [[name, pick(random, [gap.default, '3s', '5s', '61s', '1h', '2500ms'])]]
  })
  return Object.fromEntries(made)
}

/** Requests with names that a service may find too long. */
const longNames: readonly Sent[] = [
  'Al',
  'é'.repeat(10),
  'x'.repeat(15),
  'y'.repeat(150),
  'z'.repeat(250),
].map((name) => ({ method: 'POST', url: '/pets', body: JSON.stringify({ name, categoryId: 1 }) }))

/** Records random traffic with a service of random choices. */
async function randomTraffic(seed: number) {
  const random = new Random(seed)
  const chosen = randomGaps(random)
  const now = pick(random, [
    '2026-01-01T10:00:00Z',
    '2026-05-01T23:58:31.250Z',
    '2030-12-04T23:59:30Z',
    '2030-12-05T23:59:00Z',
    '2031-01-01T00:00:00.900Z',
  ])
  const recorder = new Recorder({
    gaps: chosen as GapSettings,
    clock: { now, mode: 'frozen' },
    randomSeed: seed,
    seed: {
      keys: [
        { key: 'pro-key', plan: 'pro' },
        { key: 'free-key', plan: 'free' },
        { key: 'few-key', plan: 'enterprise', limits: { minute: 12, day: 40 } },
        { key: 'day-key', plan: 'enterprise', limits: { minute: 30, day: 14 } },
        { key: 'revoked-key', plan: 'free', revoked: true },
      ],
      ...(seed % 4 === 0 ? { pets: manyPets(random.next() % 40) } : {}),
    },
  })
  const requests = [...oddRequests, ...longNames]
  const waits = [0, 0, 0, 10, 300, 1_000, 2_700, 20_000, 61_000]
  const hidden: number[] = []
  for (let left = 60; left > 0; left--) {
    const key = pick(random, ['pro-key', 'free-key', 'few-key', 'few-key', 'day-key'])
    const odd = pick(random, requests)
    const request = odd.key === undefined ? { ...odd, key } : odd
    const count = random.next() % 12 === 0 ? 25 : 1
    for (let index = 0; index < count; index++) {
      // Others may use the key as well, and not be in the archive.
      if (seed % 3 === 0 && random.next() % 4 === 0) hidden.push(recorder.entries.length)
      await recorder.send(request, index === count - 1 ? pick(random, waits) : random.next() % 40)
    }
  }
  const archive = recorder.archive()
  archive.log.entries = archive.log.entries.filter((_, index) => !hidden.includes(index))
  return { chosen, archive, sandbox: recorder.sandbox }
}

function manyPets(count: number) {
  const statuses = ['available', 'pending', 'sold'] as const
  return Array.from({ length: count }, (_, index) => ({
    id: index * 3 + 1,
    name: `Pet ${index}`,
    categoryId: (index % 4) + 1,
    status: statuses[index % 3],
  }))
}

describe('calibrate()', () => {
  it('never says a wrong thing of a service of any choices', { timeout: 3_600_000 }, async () => {
    const sometimes = new Sometimes('a rate limit', 'a sliding window', 'a ban')
    const found: string[] = []
    for (let seed = firstSeed; seed < firstSeed + draws(20); seed++) {
      const { chosen, archive, sandbox } = await randomTraffic(seed)
      sometimes.meet(metIn(sandbox))
      const wrong = wrongIn(calibrate([archive]), chosen)
      if (wrong.length > 0) found.push(`seed ${seed}: ${wrong.slice(0, 4).join('; ')}`)
    }
    expect(found).toEqual([])
    sometimes.expectAllMet()
  })
})
