import type { Snapshot } from '../../control/controls/snapshot.ts'
import { isRecord } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'

/** Which of the browser's storages keeps the state: for good, or as long as the tab is open. */
export type StorageKind = 'local' | 'session'

const item = 'petstore-sandbox'

/** How long a change may wait to be stored with those that follow it. */
const delayMs = 200

/**
 * Brings a sandbox to the state that the browser has kept of the page before, and stores what it becomes; all but
 * the journal.
 *
 * State that can't be read is dropped, and the sandbox stays as it is. A storage that is full or forbidden is given
 * up, and what it held is dropped, since it would be out of date. Both are said once on the browser's console.
 *
 * @returns Tells that the state has changed.
 */
export function keepState(sandbox: Sandbox, kind: StorageKind): () => void {
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
      `Cannot keep the sandbox's state in ${name}: ${messageOf(error)}; it stays in memory, and a reload begins anew`,
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
  // At once, so that a storage that takes nothing is known before anybody counts on it.
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
      `Cannot restore the sandbox's state from ${name}: ${messageOf(error)}; it is dropped, and the sandbox begins anew`,
    )
    storage.removeItem(item)
  }
}

/** Journals fill storages, and are seldom looked at after a reload. */
function withoutJournal({ journal, ...state }: Snapshot): unknown {
  return { ...state, journal: { ...(isRecord(journal) ? journal : {}), list: [] } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a page has no other place to say it
  console.warn(`[petstore-sandbox] ${message}`)
}
