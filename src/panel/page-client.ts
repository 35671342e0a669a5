import type { RemoteControls } from '../client/sandbox-client.ts'
import type { ConsoleClient, ConsoleEvent } from '../console/live/console-client.ts'
import { mostEntries } from '../console/live/live-store.ts'
import { packageVersion } from '../contract/package-version.ts'
import { scenarioNames } from '../control/scenarios.ts'
import type { Sandbox } from '../sandbox.ts'

/** How often it asks whether anything has come: to be told of each exchange would cost a busy page much more. */
const tickMs = 150

/** Gives a single console a sandbox in the same page. */
export function pageClient(sandbox: Sandbox): ConsoleClient {
  const { journal } = sandbox
  let tell: (event: ConsoleEvent) => void = () => {}
  let tellFindings: (() => void) | undefined
  return {
    ...later(sandbox),
    clock: later(sandbox.clock),
    keys: later(sandbox.keys),
    journal: later(journal),
    pets: later(sandbox.pets),
    faults: later(sandbox.faults),
    health: async () => ({ status: 'ok', version: packageVersion }),
    scenarios: async () => scenarioNames.map((name) => ({ name, about: '' })),
    findings: async () => sandbox.judgementSoFar()?.findings ?? [],
    async audit(options: Parameters<Sandbox['audit']>[0]) {
      const isFirst = sandbox.judgementSoFar() === undefined
      const findings = await sandbox.audit(options)
      if (isFirst) {
        // Listened to before the rest is read, so that none is missed.
        tellFindings?.()
        for (const finding of await sandbox.audit()) tell({ kind: 'finding', finding })
      }
      return findings
    },
    follow(hear, signal) {
      let told = journal.position
      const tellNew = (): void => {
        const { epoch, id } = journal.position
        const count = epoch === told.epoch ? id - told.id : mostEntries
        told = { epoch, id }
        if (count === 0) return
        for (const entry of journal.entries({ limit: Math.min(count, mostEntries) })) {
          hear({ kind: 'request', entry })
        }
      }
      const ticking = setInterval(tellNew, tickMs)
      const ends = [
        () => clearInterval(ticking),
        journal.subscribeMarks((mark) => {
          tellNew()
          hear({ kind: 'mark', mark })
        }),
      ]
      tell = hear
      tellFindings = () => {
        const end = sandbox.subscribeFindings((finding) => hear({ kind: 'finding', finding }))
        if (signal.aborted) end()
        else ends.push(end)
      }
      if (sandbox.judgementSoFar() !== undefined) tellFindings()
      signal.addEventListener('abort', () => {
        for (const end of ends) end()
      })
      hear({ kind: 'live' })
    },
  }
}

/** Makes controls asynchronous, as over HTTP; what is a value becomes a call that gives it. */
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
