import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands.ts'
import {
  argumentHint,
  commandNames,
  offersFor,
  otherCommands,
  readLine,
} from '../../../src/console/app/command-line.ts'
import { pageClient } from '../../../src/console/panel/page-client.ts'
import { ShownSandbox } from '../../../src/console/panel/shown-sandbox.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

/** Runs a line; returns the message, or the link that it goes to. */
async function run(sandbox: Sandbox, line: string): Promise<string> {
  const wanted = readLine(line)
  if (wanted.kind === 'go') return wanted.link
  if (wanted.kind === 'capture') return 'capture'
  const result = await wanted.call(pageClient(new ShownSandbox(sandbox)))
  return await result.message()
}

describe('readLine()', () => {
  it('knows each command of the command line, or what to use in place of it', () => {
    const known = [...commandNames, ...Object.keys(otherCommands)]
    expect(known.toSorted()).toEqual(Object.keys(commands).toSorted())
  })

  it.each<{ line: string; changed: (sandbox: Sandbox) => unknown; to: unknown }>([
    { line: 'ban free-key 10m', changed: ({ keys }) => keys.get('free-key').state, to: 'banned' },
    {
      line: 'keys update free-key remaining.minute=1',
      changed: ({ keys }) => keys.get('free-key').minute.remaining,
      to: 1,
    },
    {
      line: 'keys issue enterprise big limits.minute=9 limits.day=99',
      changed: ({ keys }) => keys.get('big').limits,
      to: { minute: 9, day: 99 },
    },
    {
      line: `keys update pro-key 'remaining={"minute":1,"day":2}'`,
      changed: ({ keys }) => keys.get('pro-key').day.remaining,
      to: 2,
    },
    {
      line: 'exhaust free-key day',
      changed: ({ keys }) => keys.get('free-key').day.remaining,
      to: 0,
    },
    {
      line: 'clock advance 1h',
      changed: ({ clock }) => clock.read().now,
      to: '2026-01-01T01:00:00Z',
    },
    { line: 'speed 60', changed: ({ clock }) => clock.read().speed, to: 60 },
    {
      line: 'faults add 503',
      changed: ({ faults }) => faults.list()[0],
      to: expect.objectContaining({ fault: 'status', status: 503 }),
    },
    {
      line: 'faults add latency ms=1s-3s times=2 key=pro-key',
      changed: ({ faults }) => faults.list()[0],
      to: expect.objectContaining({ ms: ['1s', '3s'], times: 2, key: 'pro-key' }),
    },
    {
      line: 'scenario minute-exhausted',
      changed: ({ keys }) => keys.get('pro-key').minute.remaining,
      to: 0,
    },
    {
      line: 'scenario banned pro-key',
      changed: ({ keys }) => keys.get('pro-key').state,
      to: 'banned',
    },
    { line: 'gaps banAfter=3', changed: ({ gaps }) => gaps.banAfter, to: 3 },
    { line: 'gaps set ban-after=3 errorCodes=opaque', changed: ({ gaps }) => gaps.banAfter, to: 3 },
    {
      line: 'pets add "Rex the dog" 1 sold',
      changed: ({ pets }) => pets.get(31),
      to: { id: 31, name: 'Rex the dog', categoryId: 1, status: 'sold' },
    },
    { line: '  pets   clear ', changed: ({ pets }) => pets.size, to: 0 },
    { line: 'set-status 1 sold', changed: ({ pets }) => pets.get(1).status, to: 'sold' },
  ])('runs $line', async ({ line, changed, to }) => {
    const sandbox = frozenSandbox()
    expect(await run(sandbox, line)).not.toBe('')
    expect(changed(sandbox)).toEqual(to)
  })

  it('resets everything, or parts', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.clear()
    sandbox.faults.add({ fault: 'timeout' })
    await run(sandbox, 'reset faults')
    expect([sandbox.pets.size, sandbox.faults.list()]).toEqual([0, []])
    await run(sandbox, 'reset')
    expect(sandbox.pets.size).toBe(30)
  })

  it.each([
    { line: 'keys', link: '#/data/keys' },
    { line: 'findings', link: '#/findings' },
    { line: 'scenario', link: '#/fail' },
    { line: 'requests pro-key 429', link: '#/requests?search=pro-key+429' },
  ])('shows a place for $line', async ({ line, link }) => {
    expect(await run(frozenSandbox(), line)).toBe(link)
  })

  it.each([
    'ban free-key',
    'ban free-key 10x',
    'ban free-key 10m now',
    'ban fre-key 10m',
    'bann free-key 10m',
    'keys bann free-key 10m',
    'clock',
    'reset quota',
    'delete 1',
    'faults add 99',
    'faults add fire',
    'faults add latency',
    'gaps banAfter=soon',
    'gaps bannAfter=3',
    'scenario bogus',
    'pets --status sold',
    'check',
    'sandboxes create alice',
    'nonsense',
    '',
  ])('explains what is wrong with "%s"', async (line) => {
    const problem = await run(frozenSandbox(), line).catch(({ message }) => message)
    expect(problem).toMatchSnapshot()
  })
})

describe('offersFor()', () => {
  const known = { keys: frozenSandbox().keys.list(), scenarios: frozenSandbox().scenarios() }
  const titles = (text: string) => offersFor(text, known).map(({ title }) => title)

  it.each([
    { text: 'ba', first: 'keys ban <key> <duration>' },
    { text: 'clock a', first: 'clock advance <duration>' },
    { text: 'ban fr', first: 'free-key' },
    { text: 'ban free-key ', first: '10m' },
    { text: 'ban free-key 10m', first: 'ban free-key 10m' },
    { text: 'scenario min', first: 'minute-exhausted' },
    { text: 'faults add sta', first: 'status' },
    { text: 'gaps banA', first: 'banAfter=' },
    { text: 'set-status 1 so', first: 'sold' },
    { text: 'reset', first: 'reset' },
    // Words of the description find a command, too.
    { text: 'sunset', first: 'scenario sunset-tomorrow' },
  ])('offers $first for "$text"', ({ text, first }) => {
    expect(titles(text)[0]).toBe(first)
  })

  it('offers all commands at first, and none for what is no command', () => {
    expect(titles('').length).toBeGreaterThan(30)
    expect(titles('xyz')).toEqual([])
  })

  it('describes the argument that is typed', () => {
    expect(argumentHint('ban free-key ')).toMatch(/^duration: How long, such as 10m/)
    expect(argumentHint('ban f')).toBe('key: The key')
    expect(argumentHint('clock freeze')).toBeUndefined()
  })
})
