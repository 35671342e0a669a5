import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { operations } from '../../src/operations/operations.ts'
import { matcherOf } from '../kit/conformity.ts'
import { linters } from '../kit/lint-openapi.ts'

describe('openApiDocument()', () => {
  it.each(linters)('passes $linter', async ({ lint }) => {
    expect(await lint(openApiDocument())).toEqual([])
  })

  it.each(linters)('passes $linter for a server elsewhere', async ({ lint }) => {
    expect(await lint(openApiDocument('http://127.0.0.1:7387/sandboxes/mine/v1'))).toEqual([])
  })

  it.each(linters)('would be told of a mistake by $linter', async ({ lint }) => {
    const { info, ...document } = openApiDocument()
    const { license: _, contact: __, ...rest } = info
    const wrong = { ...document, info: rest, security: [{ noSuchScheme: [] }] }
    expect((await lint(wrong)).join('\n')).toMatch(/noSuchScheme/)
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
