import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../../../src/mock/api/endpoints.ts'
import { openApiDocument } from '../../../../../src/mock/api/openapi/openapi.ts'
import { operations } from '../../../../../src/mock/engine/router.ts'
import { matcherOf } from '../../../../kit/conformity.ts'
import { linters } from '../../../../kit/lint-openapi.ts'

const petStatus = { $ref: '#/components/schemas/PetStatus' }
const newPet = { $ref: '#/components/schemas/NewPet' }

describe('openApiDocument()', () => {
  it.each(linters)('passes $linter, for a server elsewhere too', async ({ lint }) => {
    const elsewhere = openApiDocument('http://127.0.0.1:7387/sandboxes/mine/v1')
    expect(await lint(openApiDocument(), elsewhere)).toEqual([])
  })

  it.each(linters)('would be told of a mistake by $linter', async ({ lint }) => {
    const { info, ...document } = openApiDocument()
    const { license: _, contact: __, ...rest } = info
    const wrong = { ...document, info: rest, security: [{ noSuchScheme: [] }] }
    expect((await lint(wrong)).join('\n')).toMatch(/noSuchScheme/)
  })

  it('is as it was when it was last looked through', async () => {
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('openapi.json.snap')
  })

  it('describes the operations that the sandbox has, and no others', () => {
    const described = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, deprecated = false }]) => {
        return { name: operationId, method: method.toUpperCase(), path, deprecated }
      }),
    )
    const present = operations.map(({ name, method, path, deprecated }) => {
      return { name, method, path, deprecated: deprecated !== undefined }
    })
    expect(described).toEqual(present)
  })

  it('marks getPet alone as deprecated', () => {
    const { paths } = openApiDocument()
    const marked = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ deprecated }) => deprecated)
    expect(marked.map(({ operationId }) => operationId)).toEqual(['getPet'])
  })

  it('carries the version 1.0.0 and an address that ends with /v1', () => {
    expect(openApiDocument()).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: '/v1' }],
    })
  })

  it('names the server that it is given', () => {
    const { servers } = openApiDocument('http://127.0.0.1:7387/v1')
    expect(servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:7387/v1'])
  })

  it('needs the id of the path, and nothing of the query', () => {
    const { paths } = openApiDocument()
    expect(paths['/pets/{petId}']?.get?.parameters).toMatchObject([
      { name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ])
    const parameters = paths['/pets']?.get?.parameters ?? []
    expect(parameters.map(({ name }) => name)).toEqual(endpoints.listPets.query)
    expect(parameters.filter((one) => one.required || one.in !== 'query')).toEqual([])
    expect(parameters.slice(0, 2)).toMatchObject([
      { name: 'limit', schema: { type: 'integer', default: 20 } },
      { name: 'status', schema: petStatus },
    ])
  })

  it('needs a body of createPet, and of no other operation', () => {
    const { paths } = openApiDocument()
    const taking = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ requestBody }) => requestBody !== undefined)
    expect(taking).toMatchObject([
      {
        operationId: 'createPet',
        requestBody: { required: true, content: { 'application/json': { schema: newPet } } },
      },
    ])
  })

  it('has one PetStatus for the query and for pets', () => {
    const { NewPet, Pet, PetStatus } = openApiDocument().components.schemas
    expect(PetStatus).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] })
    expect(NewPet).toMatchObject({ properties: { status: petStatus } })
    expect(Pet).toMatchObject({ properties: { status: petStatus } })
  })

  it('needs code, message and status of an error, the status as a number', () => {
    expect(openApiDocument().components.schemas.Error).toMatchObject({
      required: ['code', 'message', 'status'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        status: { type: 'integer' },
      },
      additionalProperties: false,
    })
  })

  it('says what each plan admits', () => {
    expect(openApiDocument().info.description).toContain(
      "Requests are limited by the key's plan (spec 8): free 60 per minute and 1000 per day, pro 300 per minute and 10000 per day, business 1000 per minute and 100000 per day, enterprise as agreed.",
    )
  })

  it('says when getPet is to be removed, and what to use instead', () => {
    expect(openApiDocument().paths['/pets/{petId}']?.get?.description).toMatch(
      /Use `GET \/pets` with its `status` filter instead\..+To be removed on 2030-12-05\./s,
    )
  })

  it('leaves open what an order is, as the spec does', () => {
    const { Orders } = openApiDocument().components.schemas
    expect(Orders).toMatchObject({ type: 'array', items: {} })
    // A generator of mocks can't make an array of at most none.
    expect(Orders).not.toHaveProperty('maxItems')
  })

  it('needs a name and a category of a new pet, and an id beside them of a pet', () => {
    expect(openApiDocument().components.schemas).toMatchObject({
      NewPet: { required: ['name', 'categoryId'] },
      Pet: { required: ['id', 'name', 'categoryId'] },
    })
  })

  it('is the same after a way through JSON', () => {
    const document = openApiDocument()
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
  })

  it.each(parts())('gives examples of $pointer that are as it says', ({ pointer, examples }) => {
    const matches = matcherOf(pointer)
    expect(examples.filter((example) => matches(example) !== true)).toEqual([])
  })
})

/** The schemas and headers that have examples. */
function parts() {
  const { schemas, headers } = openApiDocument().components
  const all = [
    ...Object.entries(schemas).map(([name, schema]) => ({ pointer: `schemas/${name}`, schema })),
    ...Object.entries(headers).map(([name, { schema }]) => {
      return { pointer: `headers/${name}/schema`, schema }
    }),
  ]
  return all.flatMap(({ pointer, schema: { examples } }) =>
    Array.isArray(examples)
      ? [{ pointer: `#/components/${pointer}`, examples: examples as unknown[] }]
      : [],
  )
}
