import { describe, inject, it, type SuiteAPI, type TestAPI } from 'vitest'

const isInProcess = inject('serverNode') === undefined

/** Vitest's `it` for what only a server in the process of the tests can show; on another Node there is no such test. */
export const itInProcess: TestAPI = isInProcess ? it : none()

/** The same of `describe`. */
export const describeInProcess: SuiteAPI = isInProcess ? describe : none()

/** Stands for a function that adds tests, with all its members, and adds none. */
function none<Api extends TestAPI | SuiteAPI>(): Api {
  const nothing: unknown = new Proxy(() => {}, { get: () => nothing, apply: () => nothing })
  return nothing as Api
}
