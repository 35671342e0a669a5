import { openApiDocument } from '../../src/mock/api/openapi.ts'
import type { JsonSchema } from './json-arbitraries.ts'

interface Content {
  readonly 'application/json': {
    readonly schema: { readonly $ref: string }
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

/** An operation of the API's description, with its place. */
export interface DescribedOperation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly description: string
  readonly deprecated?: boolean
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: JsonSchema
    readonly example: unknown
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly content?: Content }>
  >
}

interface ApiDescription {
  readonly info: { readonly description: string }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Omit<DescribedOperation, 'method' | 'path'>>>>
  >
  readonly components: {
    readonly headers: Readonly<
      Record<string, { readonly required: boolean; readonly schema: JsonSchema }>
    >
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}

/** The API's description, as far as tests read it. */
export const apiDescription: ApiDescription = JSON.parse(JSON.stringify(await openApiDocument()))

/** The operations of the description. */
export const describedOperations: readonly DescribedOperation[] = Object.entries(
  apiDescription.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    return { ...operation, path, method: method.toUpperCase() }
  }),
)
