import { describe, expect, it } from 'vitest'
import { requestText } from '../../../../src/checks/audit/facts.ts'

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
