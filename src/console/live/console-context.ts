import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { KeptFiles } from '../data/kept-files.ts'
import type { ConsoleClient } from './console-client.ts'
import type { LiveStore } from './live-store.ts'

/** What every component of the console can use. */
export interface ConsoleScope {
  readonly client: ConsoleClient
  readonly store: LiveStore
  readonly notices: Notices
  /** The files that the page keeps, whichever sandbox it shows; a panel keeps none. */
  readonly kept?: KeptFiles
  /** Goes to a link of `linkTo()`; `replace` leaves no step in the history, for what changes while somebody types. */
  readonly go: (link: string, step?: 'push' | 'replace') => void
  /** The address of the API, which texts to copy begin with, such as `http://127.0.0.1:7387/v1`. */
  readonly apiUrl: string
  /** Whether the sandbox is in the page alone, so that nothing outside of it can send a request. */
  readonly isOffline?: boolean
  /** The name of the file that is shown; `undefined` for a sandbox, which can be changed. */
  readonly file: string | undefined
  /** The name of the sandbox; `undefined` for the default one. */
  readonly sandbox: string | undefined
  /** What the console is in: the document, or the frame of a panel. */
  readonly root: ParentNode
  /** Where the page's code sent a request, if that is known. */
  readonly sentFrom?: (entry: RequestView) => string | undefined
  /** Whether it is a panel in a page: without an address of its own, and without documents beside it. */
  readonly isPanel: boolean
}

const scope = createContext<ConsoleScope | undefined>(undefined)

/** Gives the components below what they use. */
export const ConsoleProvider = scope.Provider

/** What the console is connected to. */
export function useConsole(): ConsoleScope {
  const found = useContext(scope)
  if (found === undefined) throw new Error('Cannot use the console: put it into a ConsoleProvider')
  return found
}

/** The files that the page keeps. */
export function useKept(): KeptFiles {
  const { kept } = useConsole()
  if (kept === undefined) throw new Error('Cannot keep files: this console keeps none')
  return kept
}

/** Something to tell the person at the console. */
export interface Notice {
  /** `error` stays until it is dismissed. */
  readonly kind: 'done' | 'error'
  readonly text: string
  /** Takes back what was done; it is offered for longer. */
  readonly undo: (() => void) | undefined
}

const shownMs = 4_000

/** What became of the control that was used last, for as long as it is shown. */
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
