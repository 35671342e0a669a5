import { describe, expect, it } from 'vitest'
import { countText, requestText, spanText } from '../../src/audit/words.ts'

describe('requestText()', () => {
  it.each([
    {
      request: { operation: 'getPet', method: 'GET', url: '/v1/pets/7' },
      text: 'GET /pets/{petId}',
    },
    { request: { operation: undefined, method: 'GET', url: '/v1/cats' }, text: 'GET /v1/cats' },
    {
      request: { operation: undefined, method: 'GET', url: `/${'a'.repeat(90)}` },
      text: `GET /${'a'.repeat(79)}`,
    },
    { request: { operation: undefined, method: '', url: '' }, text: 'an unreadable request' },
  ] as const)('says $text', ({ request, text }) => {
    expect(requestText(request)).toBe(text)
  })
})

describe('spanText()', () => {
  it.each([
    { ms: -5, text: '0 s' },
    { ms: 456, text: '0.46 s' },
    { ms: 1_040, text: '1 s' },
    { ms: 9_940, text: '9.9 s' },
    { ms: 10_400, text: '10 s' },
    { ms: 119_400, text: '119 s' },
    { ms: 120_000, text: '2 min' },
    { ms: 7_199_000, text: '120 min' },
    { ms: 7_200_000, text: '2 h' },
    { ms: 172_799_000, text: '48 h' },
    { ms: 172_800_000, text: '2 days' },
    { ms: 86_400_000 * 1_474, text: '1,474 days' },
  ])('writes $ms ms as $text', ({ ms, text }) => {
    expect(spanText(ms)).toBe(text)
  })
})

describe('countText()', () => {
  it.each([0, 7, 999, 1_000, 1_474, 99_999, 86_400_000])('writes %i as English does', (count) => {
    expect(countText(count)).toBe(count.toLocaleString('en'))
  })
})
