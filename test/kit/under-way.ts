import type { Outcome } from '../../src/mock/api/message.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { requestOf, type TestRequest } from './send.ts'

/** A request that has begun. */
export interface UnderWay {
  readonly outcome: Promise<Outcome>
  /** Whether it is answered, once the promises that are due have run; no time passes meanwhile. */
  isComplete(): Promise<boolean>
}

/** Begins a request. */
export function begin(sandbox: Sandbox, request: TestRequest = {}): UnderWay {
  let isOver = false
  const outcome = sandbox.handle(requestOf(request)).then((found) => {
    isOver = true
    return found
  })
  return {
    outcome,
    async isComplete() {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      return isOver
    },
  }
}
