import { describe, expect, it } from 'vitest'
import { endpoints, pageLimit } from '../../../../src/mock/api/endpoints.ts'
import { errorSchema } from '../../../../src/mock/api/error.ts'
import { openApiDocument } from '../../../../src/mock/api/openapi.ts'
import { petStatuses } from '../../../../src/mock/api/pet.ts'
import { plans } from '../../../../src/mock/api/plans.ts'
import { operations } from '../../../../src/mock/engine/router.ts'
import { formatCount } from '../../../../src/mock/input/values.ts'
import { apiDescription, describedOperations } from '../../../kit/api-description.ts'
import { matcherOf } from '../../../kit/conformity.ts'

// The replies of the engine are compared wherever tests send requests, by `expectConformity()`.
describe('openapi.yaml', () => {
  const { info, components } = apiDescription
  const [listPets, createPet, getPet] = describedOperations

  it('describes the operations that the sandbox has, and no others', () => {
    const described = describedOperations.map(
      ({ operationId, method, path, deprecated = false }) => {
        return { name: operationId, method, path, deprecated }
      },
    )
    const present = operations.map(({ name, method, path, deprecated }) => {
      return { name, method, path, deprecated: deprecated !== undefined }
    })
    expect(described).toEqual(present)
  })

  it.each(operations)('has the documented statuses of $name', ({ name, documented }) => {
    const described = describedOperations.find(({ operationId }) => operationId === name)
    const found = Object.keys(described?.responses ?? {}).map(Number)
    expect(found).toEqual(expect.arrayContaining([...documented]))
  })

  it('has the parameters that the engine reads, and requires that of the path', () => {
    expect(describedOperations.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual(
      [endpoints.listPets.query, [], ['petId'], []],
    )
    expect(getPet?.parameters).toMatchObject([
      { in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ])
    expect(listPets?.parameters).toMatchObject([
      { in: 'query', required: false, schema: { type: 'integer', ...pageLimit } },
      { in: 'query', required: false, schema: { $ref: '#/components/schemas/PetStatus' } },
    ])
  })

  it('requires a body of createPet alone', () => {
    const taking = describedOperations.filter(({ requestBody }) => requestBody !== undefined)
    expect(taking).toEqual([createPet])
    expect(createPet?.requestBody?.required).toBe(true)
  })

  it('has the statuses of pets and the properties of errors', () => {
    expect(components.schemas.PetStatus?.enum).toEqual(petStatuses)
    expect(components.schemas.Error).toEqual(errorSchema)
  })

  it('has the limits of each plan', () => {
    const text = info.description.replace(/\s+/g, ' ')
    for (const [plan, limits] of Object.entries(plans)) {
      const limited =
        limits === 'custom'
          ? 'as agreed'
          : `${formatCount(limits.minute)} per minute and ${formatCount(limits.day)} per day`
      expect(text).toContain(`${plan} ${limited}`)
    }
  })

  it('has the day on which getPet is removed', () => {
    const day = new Date(endpoints.getPet.deprecated.sunsetAt['start-of-day'])
    expect(getPet?.description).toContain(
      `To be removed on ${day.toISOString().slice(0, 'YYYY-MM-DD'.length)}.`,
    )
  })

  it.each(parts())('has examples of $pointer that match its schema', ({ pointer, examples }) => {
    const matches = matcherOf(pointer)
    expect(examples.filter((example) => matches(example) !== true)).toEqual([])
  })

  it('has the address of its server', async () => {
    const { servers } = await openApiDocument('http://127.0.0.1:7387/sandboxes/mine/v1')
    expect(servers).toMatchObject([{ url: 'http://127.0.0.1:7387/sandboxes/mine/v1' }])
  })
})

/** The schemas and headers that have examples. */
function parts() {
  const { schemas, headers } = apiDescription.components
  const all = [
    ...Object.entries(schemas).map(([name, schema]) => ({ pointer: `schemas/${name}`, schema })),
    ...Object.entries(headers).map(([name, { schema }]) => {
      return { pointer: `headers/${name}/schema`, schema }
    }),
  ]
  return all.flatMap(({ pointer, schema: { examples = [] } }) =>
    examples.length > 0 ? [{ pointer: `#/components/${pointer}`, examples }] : [],
  )
}
