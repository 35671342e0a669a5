import { describe, expect, it } from 'vitest'
import { describeRules } from '../../../kit/rule-cases.ts'
import { judge } from '../../../kit/story.ts'

describeRules([
  {
    rule: 'error key-in-url',
    found: [
      {
        why: 'a query',
        story: [{ url: '/v1/pets?api_key=free-key' }, { url: '/v1/pets?api_key=free-key' }],
      },
      { why: 'a path', story: [{ url: '/v1/free-key/pets' }] },
      { why: 'user information', story: [{ url: 'http://free-key@api.test/v1/pets' }] },
      { why: 'percent encoding', story: [{ url: '/v1/pets?k=%66ree%2Dkey' }] },
    ],
    not: [
      {
        why: 'a longer word',
        story: [{ url: '/v1/pets?k=my-free-keys' }, { url: '/v1/free-keyring' }],
      },
      {
        why: 'ordinary requests',
        story: [{ url: '/v1/pets/12' }, { url: '/v1/pets?limit=5&status=sold' }],
      },
      { why: 'a key that the sandbox does not know', story: [{ url: '/v1/pets?api_key=unknown' }] },
    ],
  },
  {
    rule: 'error key-outside-authorization',
    found: [
      { why: 'a header of its own', story: [{ headers: { 'x-api-key': 'free-key' } }] },
      { why: 'a cookie', story: [{ headers: { cookie: 'a=b; key=free-key' } }] },
      { why: 'a Referer', story: [{ headers: { referer: 'https://shop.test/?key=free-key' } }] },
      { why: 'a body', story: [{ json: '{"name":"Rex","key":"free-key"}' }] },
    ],
    not: [
      { why: 'the one header', story: [{}, { headers: { authorization: 'bearer  free-key' } }] },
      { why: 'a longer word', story: [{ headers: { 'x-request-id': 'free-key-17' } }] },
      {
        why: 'a body of which the request log keeps no more',
        story: [{ json: `{"name":"Rex","x":"${'y '.repeat(40_000)}","key":"free-key"}` }],
      },
    ],
  },
  {
    rule: 'warning key-outside-authorization',
    found: [
      { why: 'no scheme', story: [{ headers: { authorization: 'free-key' } }] },
      { why: 'another scheme', story: [{ headers: { authorization: 'Token free-key' } }] },
    ],
    not: [
      {
        why: 'a key that the sandbox does not know',
        story: [{ headers: { authorization: 'unknown-secret' } }],
      },
    ],
  },
])

describe('a finding on keys', () => {
  it('shows no key', () => {
    const findings = judge([
      { url: '/v1/pets?api_key=free-key' },
      { key: 'pro-key', headers: { 'x-api-key': 'pro-key' } },
    ])
    expect(findings).toHaveLength(2)
    expect(JSON.stringify(findings)).not.toMatch(/free-key|pro-key/)
  })
})
