import { type ComponentChildren, render } from 'preact'
import type { JournalEntry } from '../../../src/client/connect-sandbox.ts'
import type { ConsoleClient, ConsoleEvent } from '../../../src/console/live/console-client.ts'
import { ConsoleProvider } from '../../../src/console/live/console-context.ts'
import { LiveStore } from '../../../src/console/live/live-store.ts'
import { Notices } from '../../../src/console/live/notices.ts'
import { goByAddress } from '../../../src/console/model/route.ts'
import { createSandbox } from '../../../src/sandbox.ts'

/** A part of the console on a page, connected to a sandbox that a test plays. */
export interface Scene {
  readonly store: LiveStore
  /** What has been asked of the sandbox, by name. */
  readonly asked: readonly string[]
  /** Tells the console what happens. */
  readonly hear: (...events: readonly ConsoleEvent[]) => void
  /** Tells it of exchanges with these ids. */
  readonly come: (...ids: readonly number[]) => void
  leave(): void
}

/** An exchange as the journal has it, to be told of under any id. */
export async function anEntry(): Promise<JournalEntry> {
  const sandbox = createSandbox()
  const headers = { authorization: 'Bearer free-key' }
  await sandbox.handle({ method: 'GET', url: '/v1/pets?limit=2', headers, body: '' })
  return sandbox.journal.get(1)
}

/** Plays a sandbox for what the parts of the console ask, and notes each question by its name. */
export function playedClient(
  asked: string[],
  follow: (hear: (event: ConsoleEvent) => void) => void,
): ConsoleClient {
  const sandbox = createSandbox({ clock: { mode: 'frozen' } })
  const answer =
    <Answer,>(name: string, value: Answer) =>
    async (): Promise<Answer> => {
      asked.push(name)
      return value
    }
  const played = {
    status: answer('status', sandbox.status()),
    gaps: answer('gaps', sandbox.gaps),
    findings: answer('audit', []),
    keys: { list: answer('keys', []) },
    faults: { list: answer('faults', []) },
    journal: { entries: answer('entries', []), marks: answer('marks', []) },
    follow,
  }
  // Only what these parts ask for.
  return played as unknown as ConsoleClient
}

/** Shows a part of the console. */
export async function showScene(content: ComponentChildren): Promise<Scene> {
  const entry = await anEntry()
  const asked: string[] = []
  let listener: (event: ConsoleEvent) => void = () => {}
  let follow: () => void = () => {}
  const isFollowed = new Promise<void>((resolve) => {
    follow = resolve
  })
  const client = playedClient(asked, (hear) => {
    listener = hear
    follow()
  })
  const store = new LiveStore(client)
  const stop = store.start()
  const nothing = {
    go: goByAddress,
    file: undefined,
    sandbox: undefined,
    isPanel: false,
    root: document,
  }
  const scope = { client, store, notices: new Notices(), apiUrl: '/v1', ...nothing }
  await isFollowed
  render(<ConsoleProvider value={scope}>{content}</ConsoleProvider>, document.body)
  const hear = (...events: readonly ConsoleEvent[]): void => {
    for (const event of events) listener(event)
  }
  return {
    store,
    asked,
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
