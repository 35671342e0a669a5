import { describe, expect, it } from 'vitest'
import { countText, requestText } from '../../src/audit/words.ts'

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

describe('countText()', () => {
  it.each([0, 7, 999, 1_000, 1_474, 99_999, 86_400_000])('writes %i as English does', (count) => {
    expect(countText(count)).toBe(count.toLocaleString('en'))
  })
})
