import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type OutputContext, statusScreen } from '../../../../src/cli/remote/response-text.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

/** A sandbox whose clock stands still in the middle of a minute. */
function sandboxAt(now: string): Sandbox {
  return createSandbox({ clock: { now, mode: 'frozen' } })
}

/** Shows a sandbox as a terminal of a width does, or as a file where there is none. */
function shown(sandbox: Sandbox, columns?: number, api = 'http://127.0.0.1:7387/v1'): string {
  // What else is set where the tests run (`CI`, `TMUX`) has no say.
  const { NO_COLOR } = process.env
  const getColorDepth = () =>
    WriteStream.prototype.getColorDepth({ TERM: 'xterm', ...(NO_COLOR && { NO_COLOR }) })
  const terminal = { columns, isTTY: columns !== undefined, getColorDepth }
  const stream = Object.assign(new PassThrough(), terminal)
  const context = { api, stream } as unknown as OutputContext
  return statusScreen(sandbox.status(), context)
}

/** The escape sequences by which terminals change colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const colours = /\u001b\[\d+m/g

describe('statusScreen()', () => {
  beforeEach(() => {
    // Whoever runs the tests may have set them.
    for (const name of ['FORCE_COLOR', 'NO_COLOR']) vi.stubEnv(name, undefined)
    return () => {
      vi.unstubAllEnvs()
    }
  })

  it('shows a fresh sandbox', () => {
    expect(shown(sandboxAt('2027-01-15T08:00:20.250Z'))).toBe(
      `API     http://127.0.0.1:7387/v1
Clock   2027-01-15T08:00:20Z, frozen
Limits  enforced
Pets    30
Faults  none
Gaps    all at their defaults

Key                   Plan        State             This minute  Today
free-key              free        active            60/60        1000/1000
pro-key               pro         active            300/300      10000/10000
business-key          business    active            1000/1000    100000/100000
enterprise-key        enterprise  active            5000/5000    1000000/1000000
revoked-key           free        revoked           60/60        1000/1000
expired-key           free        expired           60/60        1000/1000
minute-exhausted-key  free        exhausted 39s     0/60         1000/1000
day-exhausted-key     free        exhausted 15h59m  60/60        0/1000
banned-key            free        banned 5m         60/60        1000/1000`,
    )
  })

  it('shows faults, changed gaps and the latest requests, in 80 columns', async () => {
    const sandbox = sandboxAt('2027-01-15T08:00:20Z')
    for (const { key } of sandbox.keys.list().slice(1)) sandbox.keys.delete(key)
    sandbox.setRateLimits('report-only')
    sandbox.setGaps({ banAfter: 3, retryAfterFormat: 'http-date' })
    sandbox.faults.add([
      { fault: 'latency', ms: '1s-3s', operation: 'createPet', key: 'free-key' },
      { fault: 'status', status: 503, times: 1, operation: 'getPet' },
    ])
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=3' }))
    await sandbox.handle(requestOf({ url: `/v1/pets?limit=${'9'.repeat(90)}` }))
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    const screen = shown(sandbox, undefined, 'http://[::1]:8080/sandboxes/alice/v1')
    expect(screen).toBe(
      `API     http://[::1]:8080/sandboxes/alice/v1
Clock   2027-01-15T08:00:20Z, frozen
Limits  report-only: counted, and nothing is rejected
Pets    30
Faults  2
Gaps    retryAfterFormat=http-date (default seconds)
        banAfter=3 (default 10)

Key       Plan  State   This minute  Today
free-key  free  active  57/60        997/1000

Id  Fault    Settings                                   Matched  Applied
 1  latency  ms=1s-3s operation=createPet key=free-key        0        0
 2  status   status=503 operation=getPet times=1              1        1

Latest requests
#1 2027-01-15 08:00:20 GET /v1/pets?limit=3  free…
   200: listPets; spec 4.1
#2 2027-01-15 08:00:20 GET /v1/pets?limit=999999999999999999999999999999…  free…
   400: Cannot use limit: found
   "99999999999999999999999999999999999999999999999999999999...; send a whole
   number from 1 to 100; spec 4.1, gap invalidQuery=reject
#3 2027-01-15 08:00:20 GET /v1/pets/1  free…
   503: Cannot respond: a fault injects status 503; fault 2 (status)`,
    )
    expect(Math.max(...screen.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  it('shows the worst of what was found of clients, in 80 columns', async () => {
    const sandbox = sandboxAt('2027-01-15T08:00:20Z')
    sandbox.setGaps({ unknownQuery: 'reject' })
    for (const { key } of sandbox.keys.list().slice(1)) sandbox.keys.delete(key)
    await sandbox.findings()
    expect(shown(sandbox)).not.toContain('Findings')
    for (const url of ['/v1/pets/1?key=free-key', '/v1/pets']) {
      await sandbox.handle(requestOf({ url }))
    }
    expect(shown(sandbox)).toContain(`

Findings: 1 error, 1 warning, 1 info
error key-in-url: Sent the API key free… in the URL.
warning deprecated-operation: Called GET /pets/{petId}, which will be removed
   on 5 December 2030: in 1,420 days by the sandbox's clock.
info list-truncated: Asked for a list, and got 20 of the 30 pets that match.
npx petstore-sandbox findings says what to do

Latest requests
`)
    sandbox.reset({ only: ['requests'] })
    expect(shown(sandbox)).toContain('in the URL. (before a reset)\n')
    for (let sent = 0; sent < 3; sent++) await sandbox.handle(requestOf({ url: '/v1/\u001b[2J' }))
    const screen = shown(sandbox)
    expect(screen).toContain('\nand 1 more; npx petstore-sandbox findings says what to do\n')
    expect(screen.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('cuts long keys where there is no room for them, and says how many it leaves out', () => {
    const sandbox = sandboxAt('2027-01-15T08:00:20Z')
    for (const { key } of sandbox.keys.list()) sandbox.keys.delete(key)
    for (let made = 0; made < 21; made++) {
      sandbox.keys.issue({ key: `${made}-${'k'.repeat(100)}`, plan: 'free' })
      sandbox.faults.add({ fault: 'timeout' })
    }
    for (const columns of [80, 200]) {
      const screen = shown(sandbox, columns).replaceAll(colours, '')
      const lines = screen.split('\n')
      expect(lines.filter((line) => line.length > columns)).toEqual([])
      expect(screen.includes(`20-${'k'.repeat(100)}`)).toBe(false)
      expect(screen.includes(`0-${'k'.repeat(100)}`)).toBe(columns === 200)
      expect(lines).toContain('and 1 more; npx petstore-sandbox keys lists all')
      expect(lines).toContain('and 1 more; npx petstore-sandbox faults lists all')
    }
  })

  it('has colours on a terminal only, and the same text there', async () => {
    const sandbox = sandboxAt('2027-01-15T08:00:20Z')
    await sandbox.handle(requestOf({}))
    expect(shown(sandbox)).not.toMatch(colours)
    expect(shown(sandbox, 80)).toMatch(colours)
    expect(shown(sandbox, 80).replaceAll(colours, '')).toBe(shown(sandbox))
    vi.stubEnv('NO_COLOR', '1')
    expect(shown(sandbox, 80)).toBe(shown(sandbox))
  })
})
