import { isRecord } from '../../../mock/input/record.ts'
import type { Output } from '../../../mock/input/schema.ts'
import { oneOf } from '../../../mock/input/values.ts'
import type { Snapshot } from '../../../mock/state/state.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'

/** The storage for the state: `local` is permanent, `session` lasts as long as the tab is open. */
export const storageKind = oneOf(['local', 'session'])

/** The name of the state in the storage. */
const item = 'petstore-sandbox'

/** Time to collect further changes before saving, in milliseconds. */
const delayMs = 200

/**
 * Restores a sandbox to the state that the browser kept before the reload, and saves its changes, without the request
 * log.
 *
 * Unreadable state is dropped, and the sandbox stays unchanged. A full or forbidden storage is not used any more, and
 * its content is removed, since it would be out of date. Either is reported once on the browser's console.
 *
 * @returns A function to call after each change of the state.
 */
export function keepState(sandbox: Sandbox, kind: Output<typeof storageKind>): () => void {
  const name = `${kind}Storage` as const
  let storage: Storage | undefined
  let isWaiting = false

  function restore(text: string): void {
    try {
      sandbox.restore(JSON.parse(text))
    } catch (error) {
      warn(
        `Cannot restore the sandbox's state from ${name}`,
        error,
        'it is dropped, and the sandbox starts over',
      )
      storage?.removeItem(item)
    }
  }

  function save(): void {
    isWaiting = false
    try {
      storage?.setItem(item, JSON.stringify(withoutRequests(sandbox.snapshot())))
    } catch (error) {
      giveUp(error)
    }
  }

  function giveUp(error: unknown): void {
    warn(
      `Cannot keep the sandbox's state in ${name}`,
      error,
      'it stays in memory, and a reload starts over',
    )
    const dropped = storage
    storage = undefined
    dropped?.removeItem(item)
  }

  try {
    storage = globalThis[name]
    const text = storage.getItem(item)
    if (text !== null) restore(text)
  } catch (error) {
    giveUp(error)
  }
  // Immediate, so that an unusable storage is noticed before anything relies on it.
  save()
  addEventListener('pagehide', save)
  return () => {
    if (isWaiting || storage === undefined) return
    isWaiting = true
    setTimeout(save, delayMs)
  }
}

/** Removes the request log from a snapshot, since it fills the storage and is seldom needed after a reload. */
function withoutRequests({ requests, ...state }: Snapshot): unknown {
  return { ...state, requests: { ...(isRecord(requests) ? requests : {}), list: [], changes: [] } }
}

function warn(what: string, error: unknown, then: string): void {
  const why = error instanceof Error ? error.message : String(error)
  // biome-ignore lint/suspicious/noConsole: a page has no other place to say it
  console.warn(`[petstore-sandbox] ${what}: ${why}; ${then}`)
}
