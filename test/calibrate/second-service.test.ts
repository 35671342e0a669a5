import { describe, expect, it } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { namesOf } from '../../src/input/record.ts'
import { oddRequests } from './recorder.ts'
import { choicesOfSecond, SecondService } from './second-service.ts'

const startAt = Date.UTC(2026, 10, 23, 9, 30, 7)

/** Records odd requests, a full window, and windows that begin at any time of their minute. */
function recorded() {
  const service = new SecondService()
  const entries: unknown[] = []
  let now = startAt
  const send = (method: string, path: string, headers: Record<string, string>, body = ''): void => {
    const {
      status,
      headers: found,
      body: text,
    } = service.answer({ method, path, headers, body }, now)
    const listed = (all: Readonly<Record<string, string>>) =>
      Object.entries(all).map(([name, value]) => ({ name, value }))
    const isHead = method === 'HEAD'
    entries.push({
      startedDateTime: new Date(now).toISOString(),
      time: 3,
      request: {
        method,
        url: `https://pets.example.com/v1${path}`,
        headers: listed(headers),
        bodySize: body.length,
        ...(body === ''
          ? {}
          : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      },
      response: {
        status,
        headers: listed(found),
        content: { size: isHead ? 0 : text.length, text: isHead ? '' : text, mimeType: '' },
      },
    })
    now += 900
  }
  for (const { method = 'GET', url, key = 'alpha', body, headers = {} } of oddRequests) {
    // It has no HEAD.
    if (method === 'HEAD') continue
    const all: Record<string, string> = {
      ...(key === null ? {} : { authorization: `Bearer ${key.replace('pro-key', 'alpha')}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    if (all['content-type'] === '') delete all['content-type']
    send(method, url, all, body)
  }
  const beta = { authorization: 'Bearer beta' }
  for (const pause of [31_000, 62_000, 75_000, 61_000, 90_000]) {
    now += pause
    for (let sent = 0; sent < 3; sent++) send('GET', '/pets?limit=2', beta)
  }
  now = Math.ceil(now / 60_000) * 60_000 + 1_000
  for (let sent = 0; sent < 64; sent++) {
    send('GET', '/pets?limit=2', beta)
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
    const { verdict, choices } = report.gaps[name]
    const made = choicesOfSecond[name]
    const isBound = choices.some((one) => one.includes('..') && one.endsWith(made))
    expect({ name, verdict, choices, agrees: isBound || choices.includes(made) }).toMatchObject({
      agrees: true,
    })
  })

  it('shows most of them', () => {
    const shown = namesOf(choicesOfSecond).filter((name) => report.gaps[name].verdict === 'shown')
    expect(shown.length).toBeGreaterThanOrEqual(18)
  })
})
