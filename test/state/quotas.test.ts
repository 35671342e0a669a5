import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keySettings } from '../../src/state/keys.ts'
import { Quotas, savedQuotas, Usage } from '../../src/state/quotas.ts'

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
    usage.ban(minuteAt + 1, 300_000, 'requests')
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

  it.each([
    { ban: 0, until: Number.NEGATIVE_INFINITY },
    { ban: 1, until: minuteAt + 1_000 },
  ])('bans a key that begins with a ban of $ban ms until $until', ({ ban, until }) => {
    const key = keySettings.read({ key: 'k', plan: 'free', ban })
    expect(new Quotas().ofKey(key, minuteAt, 'calendar').bannedUntilAt).toBe(until)
  })

  it('keeps a key apart from an unknown token with the same text', () => {
    const quotas = new Quotas()
    quotas.ofUnknown('k', minuteAt, 'calendar').spend()
    const key = keySettings.read({ key: 'k', plan: 'free' })
    expect(quotas.ofKey(key, minuteAt, 'calendar').minute.used).toBe(0)
  })

  it('remembers the thousand unknown tokens seen last, and no more', () => {
    const quotas = new Quotas()
    const usedBy = (token: string) => quotas.ofUnknown(token, minuteAt, 'calendar').minute.used
    for (let number = 0; number < 1_000; number++) {
      quotas.ofUnknown(String(number), minuteAt, 'calendar').spend()
    }
    expect(usedBy('0')).toBe(1)
    quotas.ofUnknown('one more', minuteAt, 'calendar').spend()
    expect([usedBy('0'), usedBy('2'), usedBy('one more')]).toEqual([1, 1, 1])
    expect(usedBy('1')).toBe(0)
  })
})

describe('Quotas.restore()', () => {
  /** Takes quotas to JSON and back. */
  function restored(quotas: Quotas): Quotas {
    const saved = JSON.parse(JSON.stringify(savedQuotas.write(quotas.save())))
    return Quotas.restore(savedQuotas.read(saved))
  }

  const anyStep = fc.record({
    waitMs: fc.oneof(fc.nat(2_000), fc.integer({ min: -90_000, max: 90_000 }), fc.nat(90_000_000)),
    caller: fc.constantFrom('free', 'pro', 'unknown', ''),
    does: fc.constantFrom(
      ...(['spend', 'spend', 'refund', 'refuse', 'ban', 'pardon', 'forget'] as const),
    ),
    begins: fc.constantFrom(...(['calendar', 'first-request', 'sliding'] as const)),
  })
  type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never
  const anySteps = fc.array(anyStep, { maxLength: 20, size: 'max' })

  const keys = ['free', 'pro'].map((plan) => keySettings.read({ key: plan, plan }))

  /** Does a step, and tells what all that is known of the caller then. */
  function take(quotas: Quotas, { caller, does, begins }: Step, now: number) {
    const key = keys.find((one) => one.key === caller)
    const usage =
      key === undefined ? quotas.ofUnknown(caller, now, begins) : quotas.ofKey(key, now, begins)
    if (does === 'spend' || does === 'refund' || does === 'pardon') usage[does]()
    if (does === 'refuse') {
      usage.countRefusal(usage.windows, { banAfter: 2, banDuration: 90_000 }, now)
    }
    if (does === 'ban') usage.ban(now, 1_500, 'requests')
    if (does === 'forget') quotas.forget(caller)
    const shown = usage.windows.map((window) => [window.used, window.refused, window.resetAt(9)])
    const looked = key === undefined ? undefined : quotas.preview(key, now + 30_000, begins).save()
    return { shown, looked, isBanned: usage.isBanned(now), until: usage.bannedUntilAt }
  }

  it('goes on as the saved ones would, whatever is done to both', () => {
    fc.assert(
      fc.property(anySteps, anySteps, (before, after) => {
        const quotas = new Quotas()
        let now = minuteAt
        for (const step of before) {
          now += step.waitMs
          take(quotas, step, now)
        }
        const other = restored(quotas)
        expect(other.size).toBe(quotas.size)
        for (const step of after) {
          now += step.waitMs
          expect(take(other, step, now)).toEqual(take(quotas, step, now))
        }
        expect(savedQuotas.write(other.save())).toEqual(savedQuotas.write(quotas.save()))
      }),
      { numRuns: 200 },
    )
  })
})

describe('Quotas.preview()', () => {
  it('shows what a key has at an instant, and changes nothing', () => {
    const quotas = new Quotas()
    const key = keySettings.read({ key: 'k', plan: 'free' })
    expect(quotas.preview(key, minuteAt, 'calendar').minute.used).toBe(0)
    expect(quotas.size).toBe(0)
    quotas.ofKey(key, minuteAt, 'calendar').spend()
    expect(quotas.preview(key, minuteAt, 'calendar').minute.used).toBe(1)
    expect(quotas.preview(key, minuteAt + 60_000, 'calendar').minute.used).toBe(0)
    quotas.preview(key, minuteAt, 'calendar').spend()
    expect(quotas.ofKey(key, minuteAt, 'calendar').minute.used).toBe(1)
  })
})

describe('Usage.countRefusal()', () => {
  it.each([
    { banAfter: 0, refusals: 1 },
    { banAfter: 3, refusals: 4 },
    { banAfter: 'never', refusals: Number.POSITIVE_INFINITY },
  ] as const)('bans at refusal $refusals where banAfter is $banAfter', ({ banAfter, refusals }) => {
    const usage = new Usage()
    usage.roll(minuteAt, 'calendar')
    for (let refused = 1; refused <= 10; refused++) {
      usage.countRefusal([usage.minute], { banAfter, banDuration: 60_000 }, minuteAt)
      expect(usage.isBanned(minuteAt)).toBe(refused >= refusals)
    }
    // A banned caller is refused for its ban, whatever its windows are.
    expect(usage.minute.refused).toBe(Math.min(refusals, 10))
    expect(usage.day.refused).toBe(0)
    expect(usage.isBanned(minuteAt + 60_000)).toBe(false)
    if (banAfter !== 'never') expect(usage.isBanned(minuteAt + 59_999)).toBe(true)
    usage.pardon()
    expect(usage.isBanned(minuteAt)).toBe(false)
    expect(usage.minute.refused).toBe(0)
  })
})
