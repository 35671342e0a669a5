import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import {
  type EndpointDescription,
  endpointDescriptions,
  sharedRefusals,
} from '../../contract/openapi/descriptions.ts'
import { calls, underFault } from './calls.ts'
import type { Cell } from './cell.ts'

/** How an operation comes to refuse, by status; any other can be injected. */
const refused: Readonly<Record<number, { readonly [Name in OperationName]?: string }>> = {
  400: { createPet: "await client().createPet({ name: 'Rex' })" },
  404: { getPet: 'await client().getPet(999)' },
}

/** The replies that the interface documents: those whose description names its clause (spec 4, 7). */
export const outcomeCells: readonly Cell[] = operationNames.flatMap((operation) =>
  documentedStatuses(operation).map((status) => ({
    cell: `${operation} ${status}`,
    how: howTo(operation, status),
  })),
)

/** The statuses that the interface shows of an operation; none where it shows no success. */
function documentedStatuses(operation: OperationName): readonly number[] {
  const { success, refusals }: EndpointDescription = endpointDescriptions[operation]
  if (success.documented === undefined) return []
  const all: EndpointDescription['refusals'] = { ...sharedRefusals, ...refusals }
  const refused = Object.entries(all).filter(([, { documented }]) => documented !== undefined)
  return [success.status, ...refused.map(([status]) => Number(status))]
}

function howTo(operation: OperationName, status: number): string {
  const own = refused[status]?.[operation]
  if (own !== undefined) return own
  if (status === 401) return calls[operation].replace('client()', "client('unknown-key')")
  if (status === 429) {
    return `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls[operation]}`
  }
  const isSuccess = status === endpointDescriptions[operation].success.status
  return isSuccess
    ? calls[operation]
    : underFault({ fault: 'status', status, operation }, operation)
}
