import { type ComponentChildren, render } from 'preact'
import type { Finding } from '../../../src/checks/audit/finding.ts'
import type { RequestView } from '../../../src/client/connect-sandbox.ts'
import type { ConsoleClient, ConsoleEvent } from '../../../src/console/live/console-client.ts'
import { ConsoleProvider, Notices } from '../../../src/console/live/console-context.ts'
import { LiveStore, maxEntries } from '../../../src/console/live/live-store.ts'
import { goByAddress } from '../../../src/console/model/route.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'

/** A part of the console on a page, connected to a sandbox that a test plays. */
export interface Scene {
  readonly store: LiveStore
  /** What has been asked of the sandbox, by name. */
  readonly asked: readonly string[]
  /** What its audit has found. */
  readonly found: Finding[]
  /** Tells the console what happens. */
  readonly hear: (...events: readonly ConsoleEvent[]) => void
  /** Tells it of requests with these ids. */
  readonly come: (...ids: readonly number[]) => void
  leave(): void
}

/** A request as the log has it, to be reported under any id. */
export async function anEntry(): Promise<RequestView> {
  const sandbox = createSandbox()
  const headers = { authorization: 'Bearer free-key' }
  await sandbox.handle({ method: 'GET', url: '/v1/pets?limit=2', headers, body: '' })
  return sandbox.requests.get(1)
}

/** Shows a part of the console. */
export async function showScene(content: ComponentChildren): Promise<Scene> {
  const entry = await anEntry()
  const asked: string[] = []
  const found: Finding[] = []
  let listener: (event: ConsoleEvent) => void = () => {}
  let follow: () => void = () => {}
  const isFollowed = new Promise<void>((resolve) => {
    follow = resolve
  })
  const sandbox = createSandbox({ clock: { mode: 'frozen' } })
  const entries: RequestView[] = []
  const answer =
    <Answer,>(name: string, value: () => Answer) =>
    async (): Promise<Answer> => {
      asked.push(name)
      return value()
    }
  const played = {
    status: answer('status', () => sandbox.status()),
    gaps: answer('gaps', () => sandbox.gaps),
    foundSoFar: answer('audit', () => [...found]),
    scenarios: answer('scenarios', () => []),
    keys: { list: answer('keys', () => []) },
    faults: { list: answer('faults', () => []) },
    requests: {
      list: async ({ search }: { readonly search?: string }) => {
        asked.push('entries')
        // Of bodies it finds nothing.
        return search === undefined ? entries.slice(-maxEntries) : []
      },
      get: async (id: number) => entries.find((one) => one.id === id),
      changes: answer('changes', () => []),
    },
    follow(hear: typeof listener) {
      listener = hear
      follow()
    },
  }
  // Only what these parts ask for.
  const client = played as unknown as ConsoleClient
  const store = new LiveStore(client)
  const stop = store.start()
  const nothing = {
    go: goByAddress,
    run: undefined,
    linkOf: () => undefined,
    send: async () => undefined,
    sandbox: undefined,
    isPanel: false,
    root: document,
  }
  const scope = { client, store, notices: new Notices(), apiUrl: '/v1', ...nothing }
  await isFollowed
  listener({ kind: 'live' })
  render(<ConsoleProvider value={scope}>{content}</ConsoleProvider>, document.body)
  const hear = (...events: readonly ConsoleEvent[]): void => {
    for (const event of events) {
      if (event.kind === 'request') entries.push(event.entry)
      listener(event)
    }
  }
  return {
    store,
    asked,
    found,
    hear,
    come: (...ids) =>
      hear(...ids.map((id) => ({ kind: 'request', entry: { ...entry, id } }) as const)),
    leave() {
      stop()
      render(null, document.body)
      location.hash = ''
    },
  }
}
