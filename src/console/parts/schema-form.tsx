import { isRecord } from '../../mock/input/record.ts'
import type { JsonSchema, Schema } from '../../mock/input/schema.ts'
import { Select, TextInput } from './data-form.tsx'

interface SchemaFieldsProps {
  /** Schema of the object that a control accepts. */
  readonly schema: Pick<Schema<unknown, unknown>, 'jsonSchema'>
  /** Properties to show, in this order; all by default. */
  readonly names?: readonly string[]
  /** Initial values by field name. */
  readonly values?: Readonly<Record<string, string | undefined>>
  /** Options for a property without an enum in the schema, such as the existing keys. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

/** Form fields for the properties of a control's schema; use it within a `DataForm`. */
export function SchemaFields({ schema, names, values = {}, choices = {} }: SchemaFieldsProps) {
  const { properties = {}, required = [] } = schemaOf(schema.jsonSchema())
  const all = isRecord(properties) ? properties : {}
  const shown = (names ?? Object.keys(all)).flatMap((name) => {
    if (!(name in all)) return []
    const inner = schemaOf(all[name])
    if (!isRecord(inner.properties)) return [[name, inner] as const]
    return Object.entries(inner.properties).map(
      ([own, one]) => [`${name}.${own}`, schemaOf(one)] as const,
    )
  })
  return (
    <div class="columns fields">
      {shown.map(([name, property]) => {
        const isRequired = Array.isArray(required) && required.includes(name)
        const value = values[name]
        const hint = typeof property.description === 'string' ? property.description : undefined
        const field = { name, label: labelOf(name), hint }
        const listed = choices[name] ?? choicesOf(property)
        if (listed === undefined) {
          const isNumber = property.type === 'integer' || property.type === 'number'
          const type = isNumber ? { type: 'number' as const, step: 'any' as const } : {}
          return (
            <TextInput
              key={name}
              {...field}
              {...type}
              value={value}
              required={isRequired && isNumber}
            />
          )
        }
        const none = isRequired || listed.includes('') ? [] : [['', 'any'] as const]
        return <Select key={name} {...field} options={[...none, ...listed]} value={value} />
      })}
    </div>
  )
}

/** Returns a schema without its name, and the alternative that isn't `null`. */
function schemaOf(found: unknown): JsonSchema {
  if (!isRecord(found)) return {}
  const { 'x-component': named, ...own } = found
  const whole =
    isRecord(named) && isRecord(named.schema) ? { ...schemaOf(named.schema), ...own } : own
  const alternatives = Array.isArray(whole.anyOf) ? whole.anyOf : []
  const one = alternatives.find((other) => isRecord(other) && other.type !== 'null')
  return one === undefined ? whole : { ...schemaOf(one), ...whole }
}

function choicesOf({
  enum: choices,
  type,
  const: only,
}: JsonSchema): readonly string[] | undefined {
  if (type === 'boolean') return ['true', 'false']
  if (only !== undefined) return [String(only)]
  return Array.isArray(choices) ? choices.filter((one) => one !== null).map(String) : undefined
}

/** Returns a label: *Limits: minute* for `limits.minute`, *Category id* for `categoryId`. */
function labelOf(name: string): string {
  const words = name.replace('.', ': ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
