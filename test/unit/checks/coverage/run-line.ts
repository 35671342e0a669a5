import { setImmediate } from 'node:timers/promises'
import type { ApiRequest, Outcome } from '../../../../src/mock/api/message.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** The client that the lines speak of: your own, in its place. */
function clientOf(sandbox: Sandbox) {
  return (key: string | null = 'free-key') => {
    const send = (request: Partial<ApiRequest>): Promise<Outcome> =>
      sandbox.handle(requestOf({ key, ...request }))
    const get = (target: string, headers: ApiRequest['headers'] = {}): Promise<Outcome> =>
      send({ url: `/v1${target}`, headers })
    return {
      get,
      listPets: (query: Readonly<Record<string, string>> = {}) =>
        get(`/pets?${new URLSearchParams(query)}`.replace(/\?$/, '')),
      getPet: (id: unknown) => get(`/pets/${id}`),
      listOrders: () => get('/store/orders'),
      createPet: (pet: unknown, headers: Headers = {}) => {
        const all = { 'content-type': 'application/json', ...headers }
        const sent = Object.entries(all).filter(([, value]) => value !== undefined)
        return send({
          method: 'POST',
          body: JSON.stringify(pet),
          headers: {
            authorization: `Bearer ${key}`,
            ...(Object.fromEntries(sent) as Record<string, string>),
          },
        })
      },
    }
  }
}

/** Runs a line of a cell; what waits on the sandbox's clock is let go. */
export async function runLine(sandbox: Sandbox, line: string): Promise<void> {
  const run = new Function('sandbox', 'client', `return (async () => { ${line} })()`)
  let isDone = false
  const done = Promise.resolve(run(sandbox, clientOf(sandbox))).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await setImmediate()
    if (!isDone) sandbox.clock.advance('1m')
  }
  await done
}
