import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../../src/mock/api/message.ts'
import { conformanceCases } from '../../kit/conformance-cases.ts'
import { expectConformity } from '../../kit/conformity.ts'

/** Cases in whose replies a gap puts what the description doesn't have. */
const beyond = conformanceCases.filter(({ gaps, response: { body } }) => {
  const hasMore = gaps?.undocumentedProperty === 'present' && body.includes('"unpromised":')
  return hasMore || (gaps?.undocumentedStatus === 'present' && body.includes('"status":"reserved"'))
})
const described = conformanceCases.filter((one) => !beyond.includes(one))

describe('expectConformity()', () => {
  it.each(described)('accepts the response of: $file, $name', ({ request, response: reply }) => {
    expectConformity(request, { kind: 'response', ...reply })
  })

  it.each(beyond)(
    'rejects what the interface does not guarantee in the reply of: $name',
    ({ request, response: reply }) => {
      expect(() => expectConformity(request, { kind: 'response', ...reply })).toThrow(
        /must NOT have additional properties|must be equal to one of the allowed values/,
      )
    },
  )

  it.each([
    { name: 'gives a pet by its id', fault: 'status 204', change: { status: 204 } },
    { name: 'gives a pet by its id', fault: 'the body', change: { body: '' } },
    {
      name: 'gives a pet by its id',
      fault: 'the body',
      change: { body: '{"id":1,"name":"Bella","categoryId":1,"tag":"x"}' },
    },
    {
      name: 'gives a pet by its id',
      fault: 'outside int64',
      change: { body: '{"id":9223372036854775808,"name":"Bella","categoryId":1}' },
    },
    {
      name: 'responds to an unknown path with 404',
      fault: 'another status',
      change: { body: '{"code":"not_found","message":"-","status":400}' },
    },
    {
      name: 'responds to HEAD of a pet as GET, without the body',
      fault: 'has a body',
      change: { body: '{}' },
    },
  ])('rejects $change as the reply of: $name', ({ name, fault, change }) => {
    expect(() => check(name, (reply) => ({ ...reply, ...change }))).toThrow(fault)
  })

  it.each([
    { name: 'gives a pet by its id', header: 'content-type', value: 'text/html' },
    { name: 'gives a pet by its id', header: 'date', value: '2027-01-15' },
    { name: 'gives a pet by its id', header: 'x-ratelimit-limit', value: '60, 1000' },
    { name: 'gives a pet by its id', header: 'x-ratelimit-reset', value: '1.5' },
    { name: 'gives a pet by its id', header: 'sunset', value: '@1922659200' },
    { name: 'gives a pet by its id', header: 'link', value: '/v1/pets' },
    { name: 'gives a pet by its id', header: 'etag', value: '"1"' },
    { name: 'rejects an unknown key', header: 'www-authenticate', value: undefined },
    {
      name: 'rejects a full window before an unknown path',
      header: 'retry-after',
      value: undefined,
    },
    { name: 'rejects a full window before an unknown path', header: 'retry-after', value: '41' },
    { name: 'responds to DELETE of a pet with 405', header: 'allow', value: undefined },
    {
      name: 'responds to HEAD of a pet as GET, without the body',
      header: 'content-length',
      value: undefined,
    },
  ])('rejects $header $value in the reply of: $name', ({ name, header, value }) => {
    const changed = (reply: ApiResponse) => ({
      ...reply,
      headers: withHeader(reply, header, value),
    })
    expect(() => check(name, changed)).toThrow(header)
  })
})

/** Checks the reply of a case after a change. */
function check(name: string, change: (reply: ApiResponse) => ApiResponse): void {
  const found = conformanceCases.find((one) => one.name === name)
  if (found === undefined) throw new RangeError(`Cannot check a reply: there is no case "${name}"`)
  expectConformity(found.request, change({ kind: 'response', ...found.response }))
}

function withHeader(
  { headers }: ApiResponse,
  name: string,
  value: string | undefined,
): ApiResponse['headers'] {
  const { [name]: _, ...others } = headers
  return value === undefined ? others : { ...others, [name]: value }
}
