import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import type { GapSettings } from '../../../../src/index.ts'
import { requestOf } from '../../../../src/mock/api/gaps/steps.ts'
import {
  formatValue,
  type GapName,
  gapDescriptions,
  gapNames,
  gaps,
} from '../../../../src/mock/api/gaps.ts'
import { mapTable } from '../../../../src/mock/input/record.ts'
import { recordAllTraffic } from '../../../unit/checks/calibrate/good-traffic.ts'
import { Recorder } from '../../../unit/checks/calibrate/recorder.ts'
import { agrees } from '../../../unit/checks/calibrate/wrong-in.ts'

/** Other values where any will do. */
const otherValues: { readonly [Name in GapName]?: readonly (string | number)[] } = {
  maxNameLength: [2, 200, 'never'],
  deprecatedSince: ['2024-03-01T00:00:07Z'],
  banAfter: [3, 'never'],
  banDuration: ['1h'],
  dateHeaderSkew: ['30s', '10m'],
}

const cases = gapNames.flatMap((name) => {
  const gap = gaps[name]
  const others =
    gap.kind === 'enum'
      ? gap.values.slice(1)
      : (otherValues[name] ?? gap.plausible.map((one) => formatValue(name, one)))
  return others.map((choice) => ({ name, choice }))
})

/** Choices that no traffic can tell from the default, and why. */
const untold = {
  'newPetListed=5s': 'a pet that is missing in a list may have been removed',
  'listOrder=shuffled': 'it is the same each time, as the order of a property would be',
  'reportedWindow=minute': 'without the other window, its limit is unknown',
  'rejectedRequests=counted': 'other clients may have used what is missing of the day',
  'rejectsAt=earlier': 'a limit on bursts looks the same',
  'retryAfterPadding=5s': 'roundings and constants look the same',
  'banAfter=never': 'a ban may look like any rejection',
  'dateHeaderSkew=30s': 'other limits, bans and roundings look the same',
  'dateHeaderSkew=10m': 'other limits, bans and roundings look the same',
}

/** Sends what a gap's row sends to see the value of a real service. */
async function askFor(recorder: Recorder, name: GapName): Promise<void> {
  const { ask, steps } = gapDescriptions[name]
  if (ask === null) return
  const call = ask ?? steps.find((step) => 'call' in step)
  if (call === undefined) throw new RangeError(`Cannot ask for ${name}: no step is a call`)
  const { times = 1, pauseMs, key = 'pro-key' } = call
  const { method, path: url, headers, body } = requestOf({ ...call, key })
  const request = {
    ...{ method, url, key, headers: mapTable(headers, (field) => String(headers[field] ?? '')) },
    ...(body === '' ? {} : { body }),
  }
  for (let sent = 0; sent < times; sent++) await recorder.send(request, pauseMs)
}

describe('calibrate() of a service that differs at one gap', () => {
  it('has a case for each gap', () => {
    expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(gapNames))
  })

  it('tells each choice from the default, unless traffic cannot show it', {
    timeout: 300_000,
  }, async () => {
    const found: string[] = []
    for (const { name, choice } of cases) {
      const title = `${name}=${choice}`
      const settings = { [name]: choice } as GapSettings
      const now = name === 'afterSunset' ? '2031-01-01T10:00:07Z' : undefined
      const recorder = await recordAllTraffic(settings, now)
      await askFor(recorder, name)
      const report = calibrate([recorder.archive()])
      const gap = gaps[name]
      const usual = gap.kind === 'enum' ? gap.values[0] : gap.default
      const text = gap.kind === 'instant' ? new Date(usual).toISOString() : usual
      const { values } = report.gaps[name]
      expect({ title, values, agrees: agrees(name, choice, values) }).toMatchObject({
        agrees: true,
      })
      const problems = Object.values(report.clauses).flatMap((clause) => clause.problems)
      expect({ title, problems: [...problems, ...report.unexplained] }).toEqual({
        title,
        problems: [],
      })
      if (agrees(name, text, values)) found.push(title)
    }
    expect(found).toEqual(Object.keys(untold))
  })
})

describe('calibrate() of a service whose lists have another order', () => {
  const names = ['Moss', 'Ada', 'Zoë', 'Bo', 'Kit', 'Rex', 'Fay', 'Lin', 'Ole', 'Uma', 'Io', 'Cy']
  const pets = names.map((name, index) => ({
    id: index + 1,
    name: index === 4 ? 'kit' : name,
    categoryId: [9, 10, 100][Math.floor(index / 2) % 3] ?? 9,
    status: ['sold', 'available', 'pending'][index % 3] ?? 'sold',
  }))
  type Pet = (typeof pets)[number]
  const twice = pets.flatMap((pet) => [pet, { ...pet, id: pet.id + 100 }])
  const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

  async function listOrderOf(...lists: readonly (readonly Pet[])[]) {
    const recorder = new Recorder({})
    for (let sent = 0; sent < lists.length; sent++) await recorder.send({ url: '/pets' }, 2_000)
    const archive = recorder.archive()
    for (const [index, { response }] of archive.log.entries.entries()) {
      const text = JSON.stringify(lists[index])
      response.content = { ...response.content, text, size: Buffer.byteLength(text) }
    }
    return calibrate([archive]).gaps.listOrder
  }

  it.each<{ by: string; order: (one: Pet, other: Pet) => number }>([
    { by: 'name', order: (one, other) => byText(one.name, other.name) },
    { by: 'name, from Z to A', order: (one, other) => byText(other.name, one.name) },
    {
      by: 'name, as a dictionary',
      order: (one, other) => one.name.localeCompare(other.name, 'en'),
    },
    { by: 'category', order: (one, other) => one.categoryId - other.categoryId },
    { by: 'status', order: (one, other) => byText(one.status, other.status) },
  ])('is contradicted where they are sorted by $by', async ({ order }) => {
    const listed = twice.toSorted(order)
    expect(await listOrderOf(pets.slice(0, 1), listed)).toMatchObject({
      result: 'contradicted',
      requests: [2],
    })
  })

  it('is no order of ids only where it is no chance', async () => {
    const byName = pets.toSorted((one, other) => byText(one.name, other.name))
    expect(await listOrderOf(byName.slice(0, 9))).toMatchObject({ result: 'not-seen' })
    expect(await listOrderOf(byName.slice(0, 10))).toMatchObject({ result: 'contradicted' })
    const alike = byName.map((pet) => ({ ...pet, name: 'Rex' }))
    expect(await listOrderOf(alike)).toMatchObject({ result: 'not-seen' })
    const sorted = byName.map((pet, index) => ({ ...pet, id: index + 1 }))
    expect(await listOrderOf(sorted)).toMatchObject({ values: ['id-ascending'] })
    expect(await listOrderOf(sorted.toReversed())).toMatchObject({ values: ['id-descending'] })
  })
})
