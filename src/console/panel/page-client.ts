import type { Later } from '../../client/sandbox-client.ts'
import { packageVersion } from '../../mock/api/package-version.ts'
import { type ConsoleClient, type ConsoleEvent, eventOfMark } from '../live/console-client.ts'
import { maxEntries } from '../live/live-store.ts'
import type { ShownSandbox } from './shown-sandbox.ts'

/**
 * Interval at which the log is checked for new requests, in milliseconds: a listener for each would slow down a busy
 * page much more.
 */
const tickMs = 150

/** Connects a console to the sandbox in the same page. */
export function pageClient(shown: ShownSandbox): ConsoleClient {
  return {
    ...later(() => shown.current),
    clock: later(() => shown.current.clock),
    keys: later(() => shown.current.keys),
    requests: later(() => shown.current.requests),
    pets: later(() => shown.current.pets),
    faults: later(() => shown.current.faults),
    health: async () => ({ status: 'ok', version: packageVersion }),
    foundSoFar: async () => shown.current.resultSoFar()?.findings ?? [],
    follow(listener, signal) {
      let end = followOne(shown, listener)
      shown.onReplace(() => {
        end()
        end = followOne(shown, listener)
        listener({ kind: 'lost' })
      }, signal)
      signal.addEventListener('abort', () => end())
      listener({ kind: 'live' })
    },
  }
}

/** Follows the sandbox shown now; returns a function that stops it. */
function followOne({ current }: ShownSandbox, listener: (event: ConsoleEvent) => void): () => void {
  const { requests: log } = current
  const countFindings = (): number => current.resultSoFar()?.findings.length ?? 0
  let sent = log.position
  let found = countFindings()
  const sendNew = (): void => {
    const { epoch, id } = log.position
    const count = epoch === sent.epoch ? id - sent.id : maxEntries
    sent = { epoch, id }
    if (count > 0) {
      const entries = log.list({ limit: Math.min(count, maxEntries) })
      for (const entry of entries) listener({ kind: 'request', entry })
    }
    if (countFindings() !== found) listener({ kind: 'changed' })
    found = countFindings()
  }
  const ticking = setInterval(sendNew, tickMs)
  const endMarks = log.onEvent(({ kind }) => {
    sendNew()
    listener(eventOfMark(kind))
  })
  const endUnderWay = log.subscribeUnderWay(({ requests }) =>
    listener({ kind: 'under-way', requests }),
  )
  return () => {
    clearInterval(ticking)
    endMarks()
    endUnderWay()
  }
}

/** Makes controls asynchronous, as over HTTP; a property becomes a function that returns its value. */
function later<Controls extends object>(controls: () => Controls): Later<Controls> {
  const calls: object = Object.fromEntries(
    Object.keys(controls()).map((name) => [
      name,
      async (...given: readonly unknown[]) => {
        const control: unknown = Reflect.get(controls(), name)
        return typeof control === 'function' ? control.apply(controls(), given) : control
      },
    ]),
  )
  // Each has the name and the arguments of the control that it calls.
  return calls as Later<Controls>
}
