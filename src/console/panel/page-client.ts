import type { RemoteControls } from '../../client/sandbox-client.ts'
import type { Sandbox } from '../../mock/sandbox.ts'
import { packageVersion } from '../../mock/spec/package-version.ts'
import { type ConsoleClient, eventOfMark } from '../live/console-client.ts'
import { maxEntries } from '../live/live-store.ts'

/** How often it asks whether anything has come: to be told of each exchange would cost a busy page much more. */
const tickMs = 150

/** Gives a single console a sandbox in the same page. */
export function pageClient(sandbox: Sandbox): ConsoleClient {
  const { requests } = sandbox
  const foundSoFar = () => sandbox.resultSoFar()?.findings ?? []
  return {
    ...later(sandbox),
    clock: later(sandbox.clock),
    keys: later(sandbox.keys),
    requests: later(requests),
    pets: later(sandbox.pets),
    faults: later(sandbox.faults),
    health: async () => ({ status: 'ok', version: packageVersion }),
    foundSoFar: async () => foundSoFar(),
    follow(hear, signal) {
      let told = requests.position
      let found = 0
      const tellNew = (): void => {
        const { epoch, id } = requests.position
        const count = epoch === told.epoch ? id - told.id : maxEntries
        told = { epoch, id }
        if (count > 0) {
          const entries = requests.list({ limit: Math.min(count, maxEntries) })
          for (const entry of entries) hear({ kind: 'request', entry })
        }
        if (foundSoFar().length !== found) hear({ kind: 'changed' })
        found = foundSoFar().length
      }
      const ticking = setInterval(tellNew, tickMs)
      const endMarks = requests.onEvent(({ kind }) => {
        tellNew()
        hear(eventOfMark(kind))
      })
      const endUnderWay = requests.subscribeUnderWay(({ requests }) =>
        hear({ kind: 'under-way', requests }),
      )
      signal.addEventListener('abort', () => {
        clearInterval(ticking)
        endMarks()
        endUnderWay()
      })
      hear({ kind: 'live' })
    },
  }
}

/** Makes controls asynchronous, as over HTTP; what is a value becomes a call that returns it. */
function later<Controls extends object>(controls: Controls): RemoteControls<Controls> {
  const calls: object = Object.fromEntries(
    Object.keys(controls).map((name) => [
      name,
      async (...given: readonly unknown[]) => {
        const control: unknown = Reflect.get(controls, name)
        return typeof control === 'function' ? control.apply(controls, given) : control
      },
    ]),
  )
  // Each has the name and the arguments of the control that it calls.
  return calls as RemoteControls<Controls>
}
