import { isRecord } from '../../mock/input/record.ts'
import type { JsonSchema, Schema } from '../../mock/input/schema.ts'
import { Select, TextInput } from './data-form.tsx'

interface SchemaFieldsProps {
  /** The schema of the object that a control takes. */
  readonly schema: Pick<Schema<unknown, unknown>, 'jsonSchema'>
  /** The properties to fill in, in this order; by default all. */
  readonly names?: readonly string[]
  /** What the fields begin with, by name. */
  readonly values?: Readonly<Record<string, string | undefined>>
  /** The choices for a property that the schema leaves open, such as the keys that there are. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

/** The fields of a form, made from the schema of what a control takes; within a `DataForm`. */
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

/** A schema without its name, and of several alternatives the one that isn't `null`. */
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

/** `limits.minute` is *Limits: minute*, and `categoryId` is *Category id*. */
function labelOf(name: string): string {
  const words = name.replace('.', ': ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
