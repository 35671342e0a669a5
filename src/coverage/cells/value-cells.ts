import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import {
  type EndpointDescription,
  endpointDescriptions,
  newPetProperties,
} from '../../contract/openapi/descriptions.ts'
import { petStatuses } from '../../contract/pet.ts'
import { calls, code } from './calls.ts'
import type { Cell } from './cell.ts'

/** The choices that requests have at a parameter or property, each with the name of its cell. */
export interface ValueChoices {
  readonly operation: OperationName
  readonly place: 'query' | 'body'
  readonly name: string
  readonly absent: string
  /** By what is sent. */
  readonly sent: Readonly<Record<string, string>>
  /** Any other number between two. */
  readonly other?: { readonly cell: string; readonly above: number; readonly below: number }
}

type JsonSchema = Readonly<Record<string, unknown>>

/** The choices of requests: at each parameter of a query, and at each optional property of a new pet (spec 4). */
export const valueChoices: readonly ValueChoices[] = operationNames.flatMap((operation) => {
  const { query, takes, success }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const ofQuery = Object.entries(query).map(([name, { schema }]) =>
    choicesAt({ operation, place: 'query', name }, schema),
  )
  // The only property of a new pet that may be left out.
  const place = { operation, place: 'body', name: 'status' } as const
  return takes === undefined ? ofQuery : [...ofQuery, choicesAt(place, newPetProperties.status)]
})

/** The choices that a schema lists, or its bounds and what is between them. */
function choicesAt(
  place: Pick<ValueChoices, 'operation' | 'place' | 'name'>,
  { $ref, minimum, maximum }: JsonSchema,
): ValueChoices {
  const value = `${place.operation} ${place.name}`
  const cellsOfChoices = (choices: readonly unknown[]): ValueChoices => ({
    ...place,
    absent: `${value} absent`,
    sent: Object.fromEntries(choices.map((choice) => [String(choice), `${value}=${choice}`])),
  })
  if ($ref === '#/components/schemas/PetStatus') return cellsOfChoices(petStatuses)
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return cellsOfChoices([])
  const other = { cell: `${value} in between`, above: minimum, below: maximum }
  return { ...cellsOfChoices([minimum, maximum]), other }
}

/** What answers may be like. */
const answers = [
  { cell: 'listPets empty', how: 'sandbox.pets.clear(); await client().listPets()' },
  { cell: 'listPets cut', how: 'await client().listPets({ limit: 1 })' },
  {
    cell: 'id above 2^53',
    how: `sandbox.setGaps({ idSequence: 'large' }); ${calls.createPet}`,
  },
] as const satisfies readonly Cell[]

/** The cell of what an answer may be like. */
export type AnswerCell = (typeof answers)[number]['cell']

/** What a request may choose, and what an answer may be like (spec 2, 4). */
export const valueCells: readonly Cell[] = [...valueChoices.flatMap(cellsOf), ...answers]

function cellsOf({ operation, name, absent, sent, other }: ValueChoices): readonly Cell[] {
  const call = (value: string | number): string => callWith(operation, name, value)
  const ofSent = Object.entries(sent).map(([value, cell]) => ({
    cell,
    how: call(other === undefined ? value : Number(value)),
  }))
  const between = other === undefined ? [] : [{ cell: other.cell, how: call(other.above + 1) }]
  return [{ cell: absent, how: calls[operation] }, ...ofSent, ...between]
}

/** The call of an operation with a query parameter, or with another property. */
function callWith(operation: OperationName, name: string, value: string | number): string {
  const given = code({ [name]: value })
  const call = calls[operation]
  return call.endsWith('()')
    ? call.replace(/\(\)$/, `(${given})`)
    : call.replace(' })', `, ${given.slice(2)})`)
}
