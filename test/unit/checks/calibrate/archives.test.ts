import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { mapTable } from '../../../../src/mock/input/record.ts'
import { recordGoodTraffic } from './good-traffic.ts'
import type { RecordedEntry } from './recorder.ts'

const recorded = await recordGoodTraffic({})

describe('calibrate() of archives in any dialect', () => {
  const plain = calibrate([recorded.archive()])

  it.each<{ what: string; change: (entry: RecordedEntry) => void }>([
    {
      what: 'header names in capitals',
      change: ({ response }) => {
        response.headers = response.headers.map(({ name, value }) => ({
          name: name.toUpperCase(),
          value,
        }))
      },
    },
    {
      what: 'pseudo headers of HTTP/2',
      change: ({ response }) => {
        response.headers.unshift({ name: ':status', value: '200' })
      },
    },
    {
      what: 'bodies in base64',
      change: ({ response: { content } }) => {
        content.text = Buffer.from(content.text).toString('base64')
        content.encoding = 'base64'
      },
    },
    {
      what: 'members of other tools',
      change: (entry) => {
        Object.assign(entry, { _priority: 'High', cache: {}, timings: {}, pageref: 'page_1' })
      },
    },
  ])('reads $what alike', ({ change }) => {
    const archive = recorded.archive()
    archive.log.entries.forEach(change)
    expect(calibrate([archive])).toEqual(plain)
  })

  it('reads several files in any order as one history', () => {
    const { entries } = recorded.archive().log
    const parts = [entries.slice(90), entries.slice(0, 40), entries.slice(40, 90)]
    const archives = parts.map((part) => ({ log: { version: '1.2', entries: part } }))
    const { gaps, clauses } = calibrate(archives)
    const choicesOf = ({ gaps }: typeof plain) =>
      mapTable(gaps, (name) => [gaps[name].result, gaps[name].values])
    expect(choicesOf({ ...plain, gaps })).toEqual(choicesOf(plain))
    expect(clauses).toEqual(plain.clauses)
  })

  it('takes what two tools recorded for one request, if it has a Date', () => {
    expect(calibrate([recorded.archive(), recorded.archive()]).requests).toEqual({
      read: 2 * plain.requests.read,
      checked: plain.requests.checked,
    })
    const rejected = recorded
      .archive()
      .log.entries.filter(({ request, response }) => {
        response.headers = response.headers.filter(({ name }) => name !== 'date')
        return request.method === 'POST' && response.status === 400
      })
      .slice(0, 1)
    const archive = { log: { entries: rejected } }
    expect(calibrate([archive, archive]).requests).toEqual({ read: 2, checked: 2 })
  })

  it('keeps keys out of the base URL, and leaves what is none', () => {
    const baseUrlOf = (url: string, more: object) => {
      const [entry] = recorded.archive().log.entries
      const of = (entries: readonly unknown[]) => ({ log: { version: '1.2', entries } })
      const request = { ...entry?.request, url }
      return calibrate([of([]), of([{ ...entry, ...more, request }])]).baseUrl
    }
    expect(baseUrlOf('https://pro-key.test/v1/pets', {})).toBe('https://….test/v1')
    // An archive of a sandbox has a number for each key.
    expect(baseUrlOf('http://127.0.0.1:1234/v1/pets', { _caller: 12 })).toBe(
      'http://127.0.0.1:1234/v1',
    )
  })

  it('reads on where a member is of any type, or nested deeply', () => {
    const archive = recorded.archive()
    const { entries } = archive.log
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    for (const value of [null, 7, '__proto__', [null], {}, deep]) {
      for (const entry of recorded.archive().log.entries.slice(0, 12)) {
        const { request, response } = entry
        for (const name of ['__proto__', ...Object.keys(request)]) {
          entries.push({ ...entry, request: { ...request, [name]: value } })
        }
        for (const name of ['__proto__', ...Object.keys(response)]) {
          entries.push({ ...entry, response: { ...response, [name]: value } })
        }
        entries.push({ ...entry, startedDateTime: value, time: value } as never)
      }
    }
    expect(calibrate([archive]).requests.read).toBe(entries.length)
  })

  it('reads on where a member of a body is nested deeply', () => {
    const archive = recorded.archive()
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`
    for (const { request, response } of archive.log.entries.slice(0, 10)) {
      response.content.text = response.content.text.replaceAll(/:[^,{}[\]]+/g, `:${deep}`)
      Object.assign(request, { postData: { text: `{"name":${deep},"categoryId":${deep}}` } })
    }
    const { clauses, requests } = calibrate([archive])
    expect(requests).toEqual(plain.requests)
    expect([clauses['2'].result, clauses['7'].result]).toEqual(['broken', 'broken'])
  })

  it('concludes nothing from targets that hosts reject, and from instants that cannot be written', () => {
    const archive = recorded.archive()
    for (const entry of archive.log.entries.slice(0, 3)) {
      const request = {
        ...entry.request,
        url: `https://api.test/v1/pets?${'limit=1&'.repeat(2_000)}`,
      }
      archive.log.entries.push({ ...entry, request, response: { ...entry.response, status: 414 } })
    }
    for (const { response } of archive.log.entries) {
      for (const header of response.headers) {
        if (header.name === 'deprecation') header.value = '@999999999999'
      }
    }
    const { gaps, unexplained } = calibrate([archive])
    expect(unexplained).toEqual([])
    expect(gaps.deprecatedSince.result).toBe('not-seen')
  })

  it.each([
    { by: 'the size of its content', size: 1_000, headers: [] },
    { by: 'Content-Length', size: 3, headers: [{ name: 'content-length', value: '1000' }] },
  ])('has nothing against a body that the recorder cut, by $by', ({ size, headers }) => {
    const archive = recorded.archive()
    const { response } = archive.log.entries[0] ?? {}
    if (response === undefined) throw new TypeError('There is no request')
    response.content = { ...response.content, text: '[{"', size }
    response.headers.push(...headers)
    const { clauses, unexplained } = calibrate([archive])
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    expect(unexplained).toEqual([])
  })

  it('takes the only address with JSON for that of the API', () => {
    const [entry] = recorded.archive().log.entries
    const entryAt = (origin: string, mimeType: string) => ({
      ...entry,
      request: { ...entry?.request, url: `${origin}/v1/pets` },
      response: { status: 200, headers: [], content: { size: 2, text: '[]', mimeType } },
    })
    const entries = [
      entryAt('https://api.test', 'application/json'),
      entryAt('https://api.test', 'text/html'),
      entryAt('https://www.test', 'text/html'),
    ]
    expect(calibrate([{ log: { entries } }]).baseUrl).toBe('https://api.test/v1')
  })

  it('passes over what is not about the API', () => {
    const archive = recorded.archive()
    const [first] = archive.log.entries
    const created = archive.log.entries.find(({ response }) => response.status === 201)
    const others: unknown[] = [
      { ...created, startedDateTime: 'yesterday' },
      null,
      'text',
      { request: null },
      { ...first, request: { method: 'GET', url: 'https://cdn.test/logo.png', headers: [] } },
      { ...first, request: { method: 'OPTIONS', url: 'https://api.test/v1/pets', headers: [] } },
      { ...first, response: { status: 0, headers: [], content: {} } },
      JSON.parse('{"__proto__":{"request":1},"request":{"url":7}}'),
    ]
    archive.log.entries.push(...(others as RecordedEntry[]))
    const report = calibrate([archive])
    expect(report.requests.checked).toBe(plain.requests.checked)
    expect(report.gaps).toEqual(plain.gaps)
  })
})
