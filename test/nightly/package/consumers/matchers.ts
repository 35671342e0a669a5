import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { connectSandbox } from 'petstore-sandbox/client'
import {
  type MatcherResult,
  matchers,
  type NoFindingsOptions,
  type SandboxMatchers,
} from 'petstore-sandbox/matchers'

const sandbox: Sandbox = createSandbox()
const headers = { authorization: 'Bearer free-key' }
await sandbox.handle({ method: 'GET', url: '/v1/pets?limit=2', headers, body: '' })

const options: NoFindingsOptions = { except: ['deprecated-operation'], atLeast: 'warning' }
const results: MatcherResult[] = [
  await matchers.toHaveNoFindings.call({}, sandbox, options),
  await matchers.toHaveReceived.call({}, sandbox, 'listPets', { times: 1, query: { limit: 2 } }),
]
if (results.some(({ pass }) => !pass)) throw new Error(results[0]?.message())

// @ts-expect-error: there is no such rule.
void (() => matchers.toHaveNoFindings.call({}, sandbox, { except: ['rudeness'] }))
// @ts-expect-error: nothing is added by a list.
void ((expected: SandboxMatchers) => expected.toHaveSeenDuplicate('listPets'))
void (() => matchers.toHaveSeenWait.call({}, connectSandbox('http://127.0.0.1:7387'), 'listPets'))
