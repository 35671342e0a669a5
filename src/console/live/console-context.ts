import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { KeptFiles } from '../data/kept-files.ts'
import type { ConsoleClient } from './console-client.ts'
import type { LiveStore } from './live-store.ts'

/** A capture that the console shows. */
export interface OpenFile {
  readonly name: string
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
  /** The capture that is shown; `undefined` for a sandbox, which can be changed. */
  readonly file: OpenFile | undefined
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
