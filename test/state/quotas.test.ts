import { describe, expect, it } from 'vitest'
import { keySettings } from '../../src/state/keys.ts'
import { Quotas, Usage } from '../../src/state/quotas.ts'

const minuteAt = Date.UTC(2026, 0, 1, 12, 34)

describe('Usage', () => {
  it('counts a request in both windows, and takes it back from both', () => {
    const usage = new Usage()
    usage.spend()
    usage.spend()
    usage.refund()
    expect(usage.windows.map(({ name, used }) => [name, used])).toEqual([
      ['minute', 1],
      ['day', 1],
    ])
  })

  it('sets what is left of one window and leaves the other', () => {
    const usage = new Usage()
    usage.spend()
    usage.setRemaining({ minute: 10 }, { minute: 60, day: 1_000 })
    expect([usage.minute.used, usage.day.used]).toEqual([50, 1])
  })

  it('bans until a whole second, never for less than it is to', () => {
    const usage = new Usage()
    usage.ban(minuteAt + 1, 300_000)
    expect(usage.bannedUntilAt).toBe(minuteAt + 301_000)
  })

  it('bans nobody from the start', () => {
    expect(new Usage().bannedUntilAt).toBeLessThan(0)
  })
})

describe('Quotas', () => {
  it('remembers what a key has spent', () => {
    const quotas = new Quotas()
    const key = keySettings.read({ key: 'k', plan: 'free' })
    quotas.ofKey(key, minuteAt, 'calendar').spend()
    expect(quotas.ofKey(key, minuteAt, 'calendar').minute.used).toBe(1)
    expect(quotas.ofKey(key, minuteAt + 60_000, 'calendar')).toMatchObject({
      minute: { used: 0 },
      day: { used: 1 },
    })
  })

  it('gives a key what it starts with at its first request, and not again', () => {
    const quotas = new Quotas()
    const key = keySettings.read({ key: 'k', plan: 'free', remaining: { minute: 0 }, ban: '5m' })
    const first = quotas.ofKey(key, minuteAt, 'calendar')
    expect(first.minute.used).toBe(60)
    expect(first.bannedUntilAt).toBe(minuteAt + 300_000)
    const later = quotas.ofKey(key, minuteAt + 300_000, 'calendar')
    expect(later.minute.used).toBe(0)
    expect(later.bannedUntilAt).toBe(minuteAt + 300_000)
  })

  it('keeps a key apart from a stranger with the same text', () => {
    const quotas = new Quotas()
    quotas.ofStranger('k', minuteAt, 'calendar').spend()
    const key = keySettings.read({ key: 'k', plan: 'free' })
    expect(quotas.ofKey(key, minuteAt, 'calendar').minute.used).toBe(0)
  })

  it('remembers the thousand strangers seen last, and no more', () => {
    const quotas = new Quotas()
    const usedBy = (token: string) => quotas.ofStranger(token, minuteAt, 'calendar').minute.used
    for (let number = 0; number < 1_000; number++) {
      quotas.ofStranger(String(number), minuteAt, 'calendar').spend()
    }
    expect(usedBy('0')).toBe(1)
    quotas.ofStranger('one more', minuteAt, 'calendar').spend()
    expect([usedBy('0'), usedBy('2'), usedBy('one more')]).toEqual([1, 1, 1])
    expect(usedBy('1')).toBe(0)
  })
})
