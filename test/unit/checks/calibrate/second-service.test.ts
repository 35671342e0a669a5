import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { entryOf, headersOf, oddRequests, type RecordedEntry, type Sent } from './recorder.ts'
import { choicesOfSecond, SecondService } from './second-service.ts'

const startAt = Date.UTC(2026, 10, 23, 9, 30, 7)

/** Records odd requests, a full window, and windows that begin at any time of their minute. */
function recorded() {
  const service = new SecondService()
  const entries: RecordedEntry[] = []
  let now = startAt
  const send = (sent: Sent): void => {
    const { method = 'GET', url, body = '' } = sent
    const answered = service.answer({ method, path: url, headers: headersOf(sent), body }, now)
    entries.push(entryOf(sent, answered, 'https://pets.example.com', now))
    now += 900
  }
  for (const request of oddRequests) {
    // It has no HEAD.
    if (request.method !== 'HEAD') send({ key: 'alpha', ...request })
  }
  const limited = { url: '/pets?limit=2', key: 'beta' }
  for (const pause of [31_000, 62_000, 75_000, 61_000, 90_000]) {
    now += pause
    for (let count = 0; count < 3; count++) send(limited)
  }
  now = Math.ceil(now / 60_000) * 60_000 + 1_000
  for (let count = 0; count < 64; count++) {
    send(limited)
    now -= 500
  }
  return { log: { version: '1.2', entries } }
}

describe('calibrate() of a service that shares no code with the sandbox', () => {
  const report = calibrate([recorded()])

  it('has nothing against it', () => {
    const problems = Object.values(report.clauses).flatMap((clause) => clause.problems)
    expect([...problems, ...report.unexplained]).toEqual([])
  })

  it.each(namesOf(choicesOfSecond))('never excludes the choice that it has made: %s', (name) => {
    const { result, values } = report.gaps[name]
    const made = choicesOfSecond[name]
    const isBound = values.some((one) => one.includes('..') && one.endsWith(made))
    expect({ name, result, values, agrees: isBound || values.includes(made) }).toMatchObject({
      agrees: true,
    })
  })

  it('shows most of them', () => {
    const shown = namesOf(choicesOfSecond).filter(
      (name) => report.gaps[name].result === 'confirmed',
    )
    expect(shown.length).toBeGreaterThanOrEqual(18)
  })
})
