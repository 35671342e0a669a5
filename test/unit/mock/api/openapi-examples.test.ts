import { describe, expect, it } from 'vitest'
import { type DescribedOperation, describedOperations } from '../../../kit/api-description.ts'
import { conformanceCases } from '../../../kit/conformance-cases.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

interface Example {
  readonly name: string
  readonly value: unknown
}

const replies = describedOperations.flatMap(({ operationId, method, path, responses }) =>
  Object.entries(responses).map(([status, { content }]) => {
    return {
      operation: operationId,
      method,
      path,
      status: Number(status),
      examples: examplesOf(content),
    }
  }),
)

/** A request for each example of a body, and one for an operation that takes none. */
const requests = describedOperations.flatMap((operation) => {
  const bodies = operation.requestBody ? examplesOf(operation.requestBody.content) : [undefined]
  return bodies.map((body) => ({
    operation: operation.operationId,
    example: body?.name ?? 'no body',
    request: {
      method: operation.method,
      url: urlOf(operation),
      ...(body === undefined ? {} : { json: JSON.stringify(body.value) }),
    },
  }))
})

function examplesOf(content: DescribedOperation['responses'][string]['content']): Example[] {
  const examples = content?.['application/json'].examples ?? {}
  return Object.entries(examples).map(([name, { value }]) => ({ name, value }))
}

/** The address that a generator makes of the examples of all parameters. */
function urlOf({ path, parameters }: DescribedOperation): string {
  const query = new URLSearchParams()
  let filled = path
  for (const parameter of parameters) {
    if (parameter.in === 'query') query.set(parameter.name, String(parameter.example))
    else filled = filled.replace(`{${parameter.name}}`, String(parameter.example))
  }
  return `/v1${filled}?${query}`.replace(/\?$/, '')
}

describe('the examples of the description', () => {
  it.each(replies)('are given for $status of $operation', ({ examples }) => {
    expect(examples.length).toBeGreaterThan(0)
  })

  it.each(requests)(
    'make a request of $operation ($example) whose reply is an example too',
    async ({ operation, example, request }) => {
      const { status, body } = await send(frozenSandbox(), request)
      // By default there is no list of orders.
      expect(status < 300).toBe(operation !== 'listOrders')
      const described = replies.find((one) => one.operation === operation && one.status === status)
      const found = described?.examples.find(({ value }) => JSON.stringify(value) === body)
      expect(found).toBeDefined()
      // The examples of a body and of its reply go by one name.
      if (request.json !== undefined) expect(found?.name).toBe(example)
    },
  )

  it('for 503 are sent by a sandbox that is full', async () => {
    const { status, body } = await send(frozenSandbox({ limits: { pets: 30 } }), {
      method: 'POST',
      url: '/v1/pets',
      json: '{"name":"Rex","categoryId":1}',
    })
    const unavailable = replies.filter((one) => one.status === 503)
    expect(status).toBe(503)
    expect(unavailable).toMatchObject([{ operation: 'createPet' }])
    expect(unavailable.flatMap(({ examples }) => examples)).toEqual([
      { name: 'internal_error', value: JSON.parse(body) },
    ])
  })

  // A full sandbox takes more than a request, so it has no pair.
  it.each(replies.filter(({ status }) => status !== 503))(
    'for $status of $operation are bodies of the conformance pairs',
    ({ method, path, status, examples }) => {
      const pattern = new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
      // What rejects every operation is shown of one or another.
      const isShared = [401, 403, 429].includes(status)
      const bodies = conformanceCases
        .filter(({ response }) => response.status === status)
        .filter(
          ({ request }) => isShared || (request.method === method && pattern.test(request.url)),
        )
        .map(({ response }) => response.body)
      const strange = examples.filter(({ value }) => !bodies.includes(JSON.stringify(value)))
      expect(strange).toEqual([])
    },
  )
})
