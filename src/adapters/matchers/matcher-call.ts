import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import { readInput } from '../../input/schema.ts'
import { oneOf } from '../../input/values.ts'

/** What runners tell a matcher. */
export interface MatcherCall {
  /** Whether it was called by way of `.not`. */
  readonly isNot?: boolean | undefined
}

const operationName = oneOf<OperationName>(operationNames)

/**
 * Reads the operation that a matcher is about.
 *
 * @throws {@link InputError} naming the operations that there are.
 */
export function readOperation(matcher: string, operation: unknown): OperationName {
  return readInput(operationName, operation, `${matcher}.operation`)
}

/** Begins a message by what was expected. */
export function headline(matcher: string, { isNot }: MatcherCall, operation = ''): string {
  const given = operation === '' ? '' : `'${operation}'`
  return `expect(sandbox)${isNot === true ? '.not' : ''}.${matcher}(${given})`
}
