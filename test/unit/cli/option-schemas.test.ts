import { describe, expect, it } from 'vitest'
import { asSetting, settingList, settingsFrom } from '../../../src/cli/option-schemas.ts'
import { gapSettings } from '../../../src/mock/api/gaps.ts'
import { faultSettings } from '../../../src/mock/faults/fault-rules.ts'
import { unnamedKey } from '../../../src/mock/state/keys.ts'
import { keyChange } from '../../../src/sandbox/controls/keys.ts'

describe('settingsFrom()', () => {
  it.each([
    { words: ['plan=pro'], read: { plan: 'pro' } },
    { words: ['plan=pro', 'plan=free'], read: { plan: 'free' } },
    {
      words: ['remaining.minute=1', 'remaining.day=0'],
      read: { remaining: { minute: 1, day: 0 } },
    },
    { words: ['remaining={"minute":1}'], read: { remaining: { minute: 1 } } },
    { words: ['expiresAt=null'], read: { expiresAt: null } },
    { words: ['expires-at=2030-01-01'], read: { expiresAt: '2030-01-01T00:00:00Z' } },
    { words: ['revoked=true', 'ban=10m'], read: { revoked: true, ban: '10m' } },
  ])('reads $words', ({ words, read }) => {
    expect(settingsFrom(keyChange, words, 'plan=pro')).toEqual(read)
  })

  it('takes a value for JSON only where the schema does', () => {
    expect(settingsFrom(unnamedKey, ['plan=pro', 'key=12345678901234567890'], '')).toEqual({
      plan: 'pro',
      key: '12345678901234567890',
    })
    expect(
      settingsFrom(faultSettings, ['fault=latency', 'ms=["1s","3s"]', 'times=2', 'key=123'], ''),
    ).toEqual({ fault: 'latency', ms: ['1s', '3s'], times: 2, key: '123' })
  })

  it.each([
    { words: ['plan'], message: 'Cannot set key: found "plan"; use name=value, such as plan=pro' },
    {
      words: ['plan=gold'],
      message: 'Cannot set key.plan: found "gold"; use one of free, pro, business, enterprise',
    },
    {
      words: ['remaining.hour=1'],
      message: 'Cannot set key.remaining.hour: ',
    },
    { words: ['__proto__=1'], message: 'Cannot set key.__proto__: ' },
    { words: ['plan.x=1'], message: 'Cannot set key.plan: found an object; use one of free' },
  ])('rejects $words, and says what is accepted', ({ words, message }) => {
    expect(() => settingsFrom(keyChange, words, 'plan=pro')).toThrow(message)
  })
})

describe('asSetting()', () => {
  it.each([
    { word: undefined, words: [] },
    { word: 'my-key', words: ['key=my-key'] },
    { word: 'ends-in==', words: ['key=ends-in=='] },
    { word: 'expiresAt=2030-01-01', words: ['expiresAt=2030-01-01'] },
    { word: 'expires-at=2030-01-01', words: ['expires-at=2030-01-01'] },
    { word: 'limits.minute=9', words: ['limits.minute=9'] },
  ])('makes $words of $word', ({ word, words }) => {
    expect(asSetting('key', word)).toEqual(words)
  })
})

describe('settingList()', () => {
  it('lists the words that may be given, with the choices', () => {
    expect(settingList(keyChange, 'What to change').jsonSchema()).toMatchObject({
      type: 'array',
      description: 'What to change',
      items: {
        examples: expect.arrayContaining([
          'plan=pro',
          'limits.minute=',
          'expiresAt=',
          'unban=true',
        ]),
      },
    })
    expect(settingList(gapSettings, '').jsonSchema()).toMatchObject({
      items: { examples: expect.arrayContaining(['banStatus=403', 'banAfter=']) },
    })
  })

  it('leaves out what other words give', () => {
    expect(JSON.stringify(settingList(faultSettings, '', ['fault']).jsonSchema())).not.toContain(
      'fault=',
    )
  })
})
