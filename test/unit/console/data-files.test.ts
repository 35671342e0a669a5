import { describe, expect, it } from 'vitest'
import {
  changesBetween,
  comparable,
  requestLines,
} from '../../../src/console/data/compare-snapshots.ts'
import { readRows } from '../../../src/console/data/read-rows.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

describe('readRows()', () => {
  it.each([
    { text: '[{"name":"Rex","categoryId":1}]', rows: [{ name: 'Rex', categoryId: 1 }] },
    { text: '{"pets":{"list":[{"id":9007199254740993}]}}', rows: [{ id: 9007199254740993n }] },
    {
      text: 'name,categoryId\r\n"Rex, ""the"" dog",1\nMax,2\n',
      rows: [
        { name: 'Rex, "the" dog', categoryId: '1' },
        { name: 'Max', categoryId: '2' },
      ],
    },
    { text: 'id;name\n;Zoë', rows: [{ name: 'Zoë' }] },
    {
      text: '{"pets":[{"name":"Rex"}],"keys":[{"key":"mine","plan":"pro"}]}',
      rows: [{ name: 'Rex' }, { key: 'mine', plan: 'pro' }],
    },
  ])('reads $text', ({ text, rows }) => {
    expect(readRows('file', text)).toEqual(rows)
  })

  it.each(['', 'hello', '[]', '{"log":1}', '{broken'])('rejects "%s"', (text) => {
    expect(() => readRows('pets.json', text)).toThrow(/^Cannot import pets\.json: /)
  })
})

describe('two snapshots', () => {
  it('differ in words, without what each request changes', async () => {
    const sandbox = frozenSandbox()
    const before = sandbox.snapshot()
    expect(changesBetween(before, sandbox.snapshot())).toEqual([])
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    sandbox.faults.add({ fault: 'timeout' })
    const after = sandbox.snapshot()
    expect(changesBetween(before, after)).toEqual(
      expect.arrayContaining(['pets +1', 'requests +1', 'faults +1', 'quotas used']),
    )
    const lines = new Set(comparable(before).split('\n'))
    const added = comparable(after)
      .split('\n')
      .filter((line) => !lines.has(line))
    expect(added.join('\n')).toContain('name "Rex"')
    expect(added.join('\n')).not.toContain('authorization')
  })

  it('have readable times, however deep they are', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    const text = comparable(sandbox.snapshot())
    expect(text).toMatch(/free-key.*minute \(endAt "\d{4}-\d\d-\d\dT[\d:]+Z", used 1, /)
    expect(text).not.toMatch(/At \d/)
    sandbox.clock.useSystemTime()
    expect(comparable(sandbox.snapshot())).not.toContain('clock.baseAt')
  })
})

describe('requestLines()', () => {
  it('has a line for each request with its outcome, and for each control call', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=1' }))
    sandbox.faults.add({ fault: 'disconnect', times: 1 })
    await sandbox.handle(requestOf({ key: null }))
    sandbox.clock.advance('2h')
    expect(requestLines(await sandbox.capture()).split('\n')).toEqual([
      'GET /v1/pets?limit=1 → 200',
      'control faults.add fault "disconnect", times 1',
      'GET /v1/pets → disconnect',
      'control clock.advance 2h',
    ])
  })
})
