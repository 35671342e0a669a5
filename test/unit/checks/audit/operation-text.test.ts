import { describe, expect, it } from 'vitest'
import { operationText } from '../../../../src/checks/audit/facts.ts'

describe('operationText()', () => {
  it.each([
    { method: 'GET', url: '/v1/pets/7', operation: 'getPet', text: 'GET /pets/{petId}' },
    { method: 'GET', url: '/v1/cats', operation: undefined, text: 'GET /v1/cats' },
    {
      method: 'GET',
      url: `/${'a'.repeat(90)}`,
      operation: undefined,
      text: `GET /${'a'.repeat(79)}`,
    },
    { method: '', url: '', operation: undefined, text: 'an unreadable request' },
  ] as const)('says $text', ({ method, url, operation, text }) => {
    const request = { method, url, headers: {}, body: '' }
    expect(operationText({ request, result: { operation } })).toBe(text)
  })
})
