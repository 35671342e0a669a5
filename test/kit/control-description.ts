import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ControlHost } from '../../src/sandbox/controls/http/handle-control.ts'
import type { Components, JsonSchema } from './json-arbitraries.ts'
import { sendControl } from './send-control.ts'

interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>
  >
}

/** An operation of the control API's description. */
export interface DescribedControl {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly description?: string
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: Content & { readonly required: boolean; readonly description: string }
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>
}

/** The control API's description, as far as tests read it. */
export interface ControlDescription {
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedControl>>>>
  readonly components: {
    readonly schemas: Components
    readonly responses: Readonly<Record<string, Content>>
  }
}

/** Gets the control API's description from a sandbox. */
export async function controlDescription(host: ControlHost): Promise<ControlDescription> {
  const { body } = await sendControl(host, 'GET', '/control.openapi.json')
  return JSON.parse(body)
}

/** The operations of a description, each with its place. */
export function controlsIn({ paths }: ControlDescription) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, control]) => {
      return { ...control, path, method: method.toUpperCase() }
    }),
  )
}

/** The schema of a JSON body, if there is one. */
export function jsonOf(content: Content | undefined): JsonSchema | undefined {
  return content?.content?.['application/json']?.schema
}

/** Makes validators of the schemas of a description. */
export function validators({ components }: ControlDescription) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  ajv.addVocabulary(['components', 'example'])
  // Nearest to int64 that can be told of a number.
  ajv.addFormat('int64', {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63,
  })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
  return (schema: JsonSchema): ValidateFunction => ajv.compile({ ...schema, components })
}
