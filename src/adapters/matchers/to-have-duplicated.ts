import { endpoints, type OperationName, operationNames } from '../../contract/endpoints.ts'
import { readInput } from '../../input/schema.ts'
import { oneOf } from '../../input/values.ts'
import { exchangeLines } from './exchange-text.ts'
import { examine, headline, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'
import { isInDoubt, sentAgain } from './tries.ts'

const name = 'toHaveDuplicated'

/** The operations that add something. */
export type AddingOperation = {
  [Name in keyof typeof endpoints]: (typeof endpoints)[Name]['method'] extends 'POST' ? Name : never
}[keyof typeof endpoints]

const addingOperation = oneOf<AddingOperation>(operationNames.filter(isAdding))

function isAdding(name: OperationName): name is AddingOperation {
  return endpoints[name].method === 'POST'
}

/** Says whether a request whose answer was lost was sent again, and took effect both times (spec 4.2). */
export function toHaveDuplicated(
  this: MatcherCall,
  received: Judged,
  operation: AddingOperation,
): MatcherResult | Promise<MatcherResult> {
  const exchanges = { operation: readInput(addingOperation, operation, `${name}.operation`) }
  return examine(received, { exchanges }, ({ entries }) => {
    const all = entries()
    const [twice] = sentAgain(all, (one) => hasAdded(one) && isInDoubt(one)).filter(({ again }) =>
      hasAdded(again),
    )
    const tell = (text: string) => (): string =>
      `${headline(name, this, operation)}\n\n${operation} ${text}`
    if (twice === undefined) {
      const text =
        all.length === 0
          ? 'was never asked'
          : `took effect no more than once for each request:\n${exchangeLines(all)}`
      return { pass: false, message: tell(text) }
    }
    const text = `took effect twice: the client had no answer to the first request, and sent it again:\n${exchangeLines([twice.first, twice.again])}`
    return { pass: true, message: tell(text) }
  })
}

function hasAdded({ decision }: { readonly decision: { readonly petId?: unknown } }): boolean {
  return decision.petId !== undefined
}
