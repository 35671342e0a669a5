import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { KeptFiles } from '../data/kept-files.ts'
import type { ConsoleClient } from './console-client.ts'
import type { LiveStore } from './live-store.ts'

/** A capture that the console shows, at one of its requests. */
export interface ShownRun {
  readonly name: string
  /** Ids of its requests, in order. */
  readonly steps: readonly number[]
  /** Id of the request after which the state is shown; `undefined` for a run without requests. */
  readonly step: number | undefined
  /** Changes of the state by this request, and by controls since the one before; empty while unknown. */
  readonly changes: readonly string[]
  moveTo(step: number): void
  /** Returns everything up to the request as a Vitest test. */
  testUntil(step: number): string
  /** Continues from the state that is shown; only where a sandbox can take its place. */
  readonly takeOver?: (() => void) | undefined
  close(): void
}

/** A request to send from the console. */
export interface NewRequest {
  readonly method: string
  /** Path and query below the base URL of the API. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Context for every component of the console. */
export interface ConsoleScope {
  readonly client: ConsoleClient
  readonly store: LiveStore
  readonly notices: Notices
  /** Files kept by the page, independent of the shown sandbox; a panel keeps none. */
  readonly kept?: KeptFiles
  /** Navigates to a link of `linkTo()`; `replace` adds no history entry, for changes while a user types. */
  readonly go: (link: string, step?: 'push' | 'replace') => void
  /** Base URL of the API, for texts to copy, such as `http://127.0.0.1:7387/v1`. */
  readonly apiUrl: string
  /** Whether the sandbox exists only in this page, so that other programs can't send requests to it. */
  readonly isOffline?: boolean
  /** The capture that is shown, if any; nothing of it can be changed. */
  readonly run: ShownRun | undefined
  /** Opens a capture that the page keeps; a panel can't. */
  readonly openRun?: (name: string, text: string) => Promise<void>
  /** Returns a link to a request, to be shared; `undefined` if it has none. */
  readonly linkOf: (id: number) => string | undefined
  /** Sends a request to the API, and returns its id in the log, if it has one. */
  readonly send: (request: NewRequest) => Promise<number | undefined>
  /** Name of the sandbox; `undefined` for the default one. */
  readonly sandbox: string | undefined
  /** Root node of the console: the document, or the frame of a panel. */
  readonly root: ParentNode
  /** Returns the place in the page's code that sent a request, if known. */
  readonly sentFrom?: (entry: RequestView) => string | undefined
  /** Whether the console is a panel in a page, without its own address and without documents. */
  readonly isPanel: boolean
}

const scope = createContext<ConsoleScope | undefined>(undefined)

/** Provides the context for the components below. */
export const ConsoleProvider = scope.Provider

/** Returns the context of the console. */
export function useConsole(): ConsoleScope {
  const found = useContext(scope)
  if (found === undefined) throw new Error('Cannot use the console: put it into a ConsoleProvider')
  return found
}

/** Returns the files kept by the page. */
export function useKept(): KeptFiles {
  const { kept } = useConsole()
  if (kept === undefined) throw new Error('Cannot keep files: this console keeps none')
  return kept
}

/** A message for the user. */
export interface Notice {
  /** An `error` stays until it is dismissed. */
  readonly kind: 'done' | 'error'
  readonly text: string
  /** Undoes the action; a notice with *Undo* is shown for longer. */
  readonly undo: (() => void) | undefined
}

const shownMs = 4_000

/** Result of the latest control, while it is shown. */
export class Notices {
  readonly shown = signal<Notice | undefined>(undefined)

  add(kind: Notice['kind'], text: string, undo?: () => void): void {
    const notice = { kind, text, undo }
    this.shown.value = notice
    if (kind === 'error') return
    const dismiss = (): void => {
      if (this.shown.peek() === notice) this.dismiss()
    }
    setTimeout(dismiss, undo === undefined ? shownMs : 3 * shownMs)
  }

  dismiss(): void {
    this.shown.value = undefined
  }
}
