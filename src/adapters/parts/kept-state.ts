import { isRecord } from '../../input/record.ts'
import type { Read } from '../../input/schema.ts'
import { oneOf } from '../../input/values.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { Snapshot } from '../../state/state.ts'

/** Which storage keeps the state: `local` for good, `session` as long as the tab is open. */
export const storageKind = oneOf(['local', 'session'])

const item = 'petstore-sandbox'

/** How long a change waits, to be stored together with those that follow. */
const delayMs = 200

/**
 * Restores a sandbox to the state that the browser kept before the reload, and stores its changes, without the journal.
 *
 * State that can't be read is dropped, and the sandbox stays as it is. A full or forbidden storage is given up, and its
 * content dropped, since it would be out of date. Either is reported once on the browser's console.
 *
 * @returns A function to call after each change of the state.
 */
export function keepState(sandbox: Sandbox, kind: Read<typeof storageKind>): () => void {
  const name = `${kind}Storage` as const
  let storage: Storage | undefined
  let isWaiting = false

  function save(): void {
    isWaiting = false
    try {
      storage?.setItem(item, JSON.stringify(withoutJournal(sandbox.snapshot())))
    } catch (error) {
      giveUp(error)
    }
  }

  function giveUp(error: unknown): void {
    warn(
      `Cannot keep the sandbox's state in ${name}: ${messageOf(error)}; it stays in memory, and a reload starts over`,
    )
    const dropped = storage
    storage = undefined
    dropped?.removeItem(item)
  }

  try {
    storage = globalThis[name]
    restore(sandbox, storage, name)
  } catch (error) {
    giveUp(error)
  }
  // At once, so that a storage that refuses everything is noticed before anybody relies on it.
  save()
  addEventListener('pagehide', save)
  return () => {
    if (isWaiting || storage === undefined) return
    isWaiting = true
    setTimeout(save, delayMs)
  }
}

function restore(sandbox: Sandbox, storage: Storage, name: string): void {
  const text = storage.getItem(item)
  if (text === null) return
  try {
    sandbox.restore(JSON.parse(text))
  } catch (error) {
    warn(
      `Cannot restore the sandbox's state from ${name}: ${messageOf(error)}; it is dropped, and the sandbox starts over`,
    )
    storage.removeItem(item)
  }
}

/** A journal fills the storage, and is seldom needed after a reload. */
function withoutJournal({ journal, ...state }: Snapshot): unknown {
  return { ...state, journal: { ...(isRecord(journal) ? journal : {}), list: [], marks: [] } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a page has no other place to say it
  console.warn(`[petstore-sandbox] ${message}`)
}
