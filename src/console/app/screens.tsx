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
 * To add a screen:
 *
 * 1. Add its name to `screenNames` in `model/route.ts`, where it stands in the navigation. The compiler then asks for a
 *    row in the table below; the tests of accessibility and the pictures go through the same table.
 * 2. Make a folder for it beside `requests/`, with a component that takes `ScreenProps`: `route.path` is what follows the
 *    screen in the address (`#/keys/free-key` → `['free-key']`), `route.query` what follows a question mark. Link to
 *    things with `linkTo()`: what can be looked at has an address.
 * 3. Read what the sandbox is from `useConsole().store`: signals, which events keep true (`entries`, `keys`, `marks`, ...);
 *    read `.value` in the component. What no signal has, ask with `useAsked((client) => ...)`, of the same controls as
 *    `connectSandbox()` has. Never import a transport: the panel runs the same components without one.
 * 4. Change things with `useAction()`: `run((client) => client.keys.change(...), 'Banned free-key')` shows a refusal as a
 *    notice and the new state when it is done. What can't be taken back asks first, with `Confirm`.
 * 5. Build it of `parts/`; its own styles go to `styles/console.css`. Texts from clients are
 *    children, never markup. No `style="..."` texts: the policy refuses them, objects are fine.
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
  coverage: {
    title: 'Coverage',
    View: CoverageScreen,
  },
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
