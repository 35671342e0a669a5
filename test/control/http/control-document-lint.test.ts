import { describe, expect, it } from 'vitest'
import { linters } from '../../kit/lint-openapi.ts'
import { testServer } from '../../server/test-server.ts'

interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>
}

interface ControlOperation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
}

async function documentOf(sandbox: string): Promise<ControlDocument> {
  const { url, pool } = await testServer({ save: () => {} })
  pool.create({ name: 'mine' })
  const reply = await fetch(`${url}${sandbox}/_sandbox/control.openapi.json`)
  return (await reply.json()) as ControlDocument
}

describe('control.openapi.json', () => {
  it.each(linters)('passes $linter', async ({ lint }) => {
    expect(await lint(await documentOf(''))).toEqual([])
  })

  it.each(linters)('passes $linter for a named sandbox', async ({ lint }) => {
    expect(await lint(await documentOf('/sandboxes/mine'))).toEqual([])
  })

  it('gives a shape for each JSON body of a reply', async () => {
    const { paths } = await documentOf('')
    const shapeless = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([, { content }]) => {
            const json = content?.['application/json']
            return json !== undefined && Object.keys(json.schema ?? {}).length === 0
          })
          .map(([status]) => `${operationId} ${status}`),
      )
    expect(shapeless).toEqual([])
  })

  it('names its refusals by status, since generators write a range such as 4XX as a number', async () => {
    const { paths } = await documentOf('')
    const ranges = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses)
          .filter((status) => !/^[1-5]\d\d$/.test(status))
          .map((status) => `${operationId} ${status}`),
      )
    expect(ranges).toEqual([])
  })
})
