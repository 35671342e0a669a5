import type { ComponentType } from 'preact'
import { CoverageScreen } from '../coverage/coverage-screen.tsx'
import { FindingsScreen } from '../findings/findings-screen.tsx'
import { KeysScreen } from '../keys/keys-screen.tsx'
import { useConsole } from '../live/console-context.ts'
import type { LiveStore } from '../live/live-store.ts'
import { type ScreenName, type ScreenProps, screenNames } from '../model/route.ts'
import { PetsScreen } from '../pets/pets-screen.tsx'
import { RequestsScreen } from '../requests/requests-screen.tsx'
import { isWaiting } from '../situations/fault-texts.ts'
import { SituationsScreen } from '../situations/situations-screen.tsx'
import { StateScreen } from '../state/state-screen.tsx'
import { TimelineScreen } from '../timeline/timeline-screen.tsx'

/*
 * What a screen does (`CONTRIBUTING.md` says how to add one): it takes `ScreenProps`, of which `route.path` is what follows
 * it in the address (`#/keys/free-key` → `['free-key']`). It reads the signals of `useConsole().store`, and asks for the
 * rest with `useAsked()`, never by a transport: the panel runs it without one. It changes things with `useAction()`, and
 * asks first, by `Confirm`, where they can't be taken back. Texts from clients are children, never markup.
 */

/** A screen of the console. */
interface Screen {
  /** In the navigation, the heading and the title of the page. */
  readonly title: string
  /** How many there are of what the screen shows, if that is worth knowing beforehand. */
  readonly count?: (store: LiveStore) => number
  /** Whether a file that is shown has something for it; never, without. */
  readonly isInFile?: (store: LiveStore) => boolean
  readonly View: ComponentType<ScreenProps>
}

const hasRequests = (store: LiveStore): boolean => store.entries.value.length > 0

/** The screens by name. */
export const screens: { readonly [Name in ScreenName]: Screen } = {
  requests: { title: 'Requests', isInFile: hasRequests, View: RequestsScreen },
  keys: {
    title: 'Keys',
    isInFile: (store) => (store.status.value?.counts?.keys ?? 0) > 0,
    View: KeysScreen,
  },
  timeline: { title: 'Timeline', isInFile: hasRequests, View: TimelineScreen },
  findings: {
    title: 'Findings',
    count: (store) => store.current.value.length,
    isInFile: () => true,
    View: FindingsScreen,
  },
  situations: {
    title: 'Situations',
    count: (store) => store.faults.value.filter(isWaiting).length,
    isInFile: hasRequests,
    View: SituationsScreen,
  },
  coverage: { title: 'Coverage', View: CoverageScreen },
  pets: {
    title: 'Pets',
    count: petCount,
    isInFile: (store) => petCount(store) > 0,
    View: PetsScreen,
  },
  state: { title: 'State', View: StateScreen },
}

function petCount(store: LiveStore): number {
  return store.status.value?.counts?.pets ?? 0
}

/** Gives the screens that there are: of a file those for which it has something. */
export function useScreenNames(): readonly ScreenName[] {
  const { store, file } = useConsole()
  if (file === undefined || store.status.value === undefined) return screenNames
  return screenNames.filter((name) => screens[name].isInFile?.(store) ?? false)
}
