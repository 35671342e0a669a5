import { describe, expect, it } from 'vitest'
import type { Finding, Severity } from '../../../src/audit/finding.ts'
import { acceptVerdict, verdictOn } from '../../../src/cli/audit.ts'
import type { Exception } from '../../../src/cli/audit-settings.ts'
import { findingOf } from '../../kit/finding-of.ts'

const now = Date.UTC(2027, 0, 15)

const exception = (until?: number): Exception => ({
  rule: 'list-cut',
  reason: 'The screen shows ten pets',
  until,
})

function judged(found: readonly Finding[], until?: number) {
  return verdictOn(found, { exceptions: [exception(until)], failOn: 'error' }, now)
}

describe('verdictOn()', () => {
  it('takes out what is excepted, and nothing else', () => {
    const [cut, early] = [findingOf('list-cut', 'info'), findingOf('retry-too-early', 'error')]
    const verdict = judged([cut, early, cut], now + 1)
    expect(verdict.findings).toEqual([early])
    expect(verdict.exceptions).toMatchObject([{ state: 'used', count: 2 }])
  })

  it('no longer counts an exception from its end on', () => {
    const cut = findingOf('list-cut', 'info')
    const verdict = judged([cut], now)
    expect(verdict.findings).toEqual([cut])
    expect(verdict.exceptions).toMatchObject([{ state: 'ended', count: 1 }])
  })

  it('says of an exception that nothing needs it', () => {
    expect(judged([]).exceptions).toMatchObject([{ state: 'unneeded', count: 0 }])
    expect(judged([], now).exceptions).toMatchObject([{ state: 'unneeded', count: 0 }])
  })
})

describe('acceptVerdict()', () => {
  it.each<{ found: Severity; failOn: Severity; fails: boolean }>([
    { found: 'error', failOn: 'error', fails: true },
    { found: 'warning', failOn: 'error', fails: false },
    { found: 'info', failOn: 'error', fails: false },
    { found: 'error', failOn: 'warning', fails: true },
    { found: 'warning', failOn: 'warning', fails: true },
    { found: 'info', failOn: 'warning', fails: false },
    { found: 'error', failOn: 'info', fails: true },
    { found: 'info', failOn: 'info', fails: true },
  ])('for a finding of $found with --fail-on $failOn fails: $fails', ({ found, failOn, fails }) => {
    const verdict = verdictOn([findingOf('list-cut', found)], { exceptions: [], failOn }, now)
    if (!fails) return acceptVerdict(verdict)
    expect(() => acceptVerdict(verdict)).toThrow(
      expect.objectContaining({
        message: `Cannot accept what the client did: list-cut (${found})`,
        exitCode: 4,
      }),
    )
  })
})
