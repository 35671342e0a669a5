import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../../reports/text.ts'
import { CoverageScreen } from '../coverage/coverage-screen.tsx'
import { FindingsScreen } from '../findings/findings-screen.tsx'
import { KeysScreen } from '../keys/keys-screen.tsx'
import { useConsole } from '../live/console-context.ts'
import type { Link, LiveStore } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import {
  linkTo,
  routeInAddress,
  type ScreenName,
  type ScreenProps,
  screenNames,
  useAddress,
} from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { Tabs } from '../parts/controls/tabs.tsx'
import { Boundary, Problem } from '../parts/display.tsx'
import { HelpLink } from '../parts/document-link.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { PetsScreen } from '../pets/pets-screen.tsx'
import { RequestsScreen } from '../requests/requests-screen.tsx'
import { isWaiting } from '../situations/fault-texts.ts'
import { SituationsScreen } from '../situations/situations-screen.tsx'
import { StateScreen } from '../state/state-screen.tsx'
import { TimelineScreen } from '../timeline/timeline-screen.tsx'
import { ClockMenu } from './clock-menu.tsx'
import { Announcer, NoticePlace, Strip, useIsAway } from './messages.tsx'

interface AppProps {
  readonly chooser: ChooserProps
  /** What stands in place of a screen of which nothing is known. */
  readonly children?: ComponentChildren
}

/** The shell of the console, around one screen. */
export function App({ chooser, children }: AppProps) {
  const { client, store, sandbox } = useConsole()
  const names = useScreenNames()
  const wanted = useAddress(routeInAddress)
  const screen = names.includes(wanted.screen) ? wanted.screen : 'findings'
  const route = { ...wanted, screen }
  const isAway = useIsAway()
  const main = useRef<HTMLElement>(null)
  const { title, View } = screens[screen]
  const shown = useRef(route.screen)
  useEffect(() => {
    const findings = store.current.value.length
    const owner = sandbox === undefined ? '' : `${sandbox} · `
    document.title = `${findings === 0 ? '' : `(${findings}) `}${owner}${title} · petstore-sandbox`
  }, [title, sandbox, store.current.value.length])
  // Before a screen leads to a thing on it.
  useLayoutEffect(() => {
    scrollTo(0, 0)
    // Who comes to another screen reads on from its heading; the first one takes no focus.
    if (shown.current !== route.screen) main.current?.focus({ preventScroll: true })
    shown.current = route.screen
  }, [route.screen])
  return (
    <>
      <button type="button" class="button primary skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="head">
        <fieldset class="contents" disabled={isAway}>
          <TopBar chooser={chooser} />
        </fieldset>
        <Navigation names={names} current={route.screen} />
        <Strip />
      </header>
      <main id="main" ref={main} class={route.screen} tabIndex={-1} aria-label={title}>
        <h1 class="unseen">{title}</h1>
        {children ?? <Unknown />}
        {/* What a screen knows is of one sandbox. */}
        <fieldset key={client} class="contents" disabled={isAway}>
          {/* Nothing is not the same as no keys, no pets. */}
          {store.status.value === undefined && store.problem.value !== undefined ? null : (
            <Boundary key={route.screen} what={title}>
              <View route={route} />
            </Boundary>
          )}
        </fieldset>
      </main>
      <NoticePlace />
      <Announcer />
    </>
  )
}

interface NavigationProps {
  readonly names: readonly ScreenName[]
  readonly current: ScreenName
}

const linkTexts: Readonly<Record<Link, readonly [shape: string, text: string]>> = {
  connecting: ['○', 'connecting'],
  live: ['●', 'live'],
  waiting: ['◌', 'no connection'],
  refused: ['✕', 'not connected'],
}

/** Links to the screens, and beside them whether the page is live and what can be done on this one. */
function Navigation({ names, current }: NavigationProps) {
  const { store, file } = useConsole()
  const link = store.link.value
  const [shape, text] = linkTexts[link]
  const tabs = names.map((name) => {
    const { title, count } = screens[name]
    return { name, title, count: count?.(store) }
  })
  return (
    <div class="bar navigation">
      <Tabs tabs={tabs} current={current} />
      {file === undefined || link !== 'live' ? (
        <p class={`hint link ${link}`}>
          <span aria-hidden="true">{shape}</span> {text}
        </p>
      ) : null}
      <p class="hint help">
        <HelpLink screen={screens[current].title} />
      </p>
    </div>
  )
}

/** Why there is nothing to show, if the sandbox has never answered. */
function Unknown() {
  const { status, problem, link } = useConsole().store
  if (status.value !== undefined || link.value === 'waiting') return null
  return problem.value instanceof Error ? <Problem text={problem.value.message} /> : null
}

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

/** Returns the screens that there are: of a file those for which it has something. */
export function useScreenNames(): readonly ScreenName[] {
  const { store, file } = useConsole()
  if (file === undefined || store.status.value === undefined) return screenNames
  return screenNames.filter((name) => screens[name].isInFile?.(store) ?? false)
}

/** Which sandbox of the process is shown, and how to go to another one. */
export interface ChooserProps {
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  readonly choose: (name: string | undefined) => void
  readonly list: () => Promise<readonly string[]>
}

/** What holds for the whole sandbox: which one, its clock, what is not the default, its limits. */
export function TopBar({ chooser }: { readonly chooser: ChooserProps }) {
  const [isAsking, setAsking] = useState(false)
  const { run } = useAction()
  const { file } = useConsole()
  if (file !== undefined) return <FileBar file={file} />
  return (
    <div class="bar top-bar">
      <Brand />
      <SandboxChooser {...chooser} />
      <ClockMenu />
      <Unusual />
      <LimitsChoice />
      <Button onClick={() => setAsking(true)}>Reset…</Button>
      {isAsking ? (
        <Confirm
          title="Reset the sandbox"
          text="Pets, keys, quotas, clock, faults, gaps and the journal go back to the seed. This can't be taken back."
          verb="Reset"
          onConfirm={() => void run((client) => client.reset(), 'The sandbox is reset')}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** Chooses one of the sandboxes of the process; they are asked for when somebody is about to choose. */
function SandboxChooser({ sandbox, choose, list }: ChooserProps) {
  const { run } = useAction()
  const [names, setNames] = useState<readonly string[]>([])
  const load = (): void => void run(async () => setNames(await list()))
  const known = sandbox === undefined || names.includes(sandbox) ? names : [sandbox, ...names]
  return (
    <select
      aria-label="Sandbox"
      value={sandbox ?? ''}
      onFocus={load}
      onPointerEnter={load}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
    >
      <option value="">default</option>
      {known.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** What holds for a file: its name, and the time at its end. */
function FileBar({ file }: { readonly file: string }) {
  const { store } = useConsole()
  return (
    <div class="bar top-bar">
      <Brand />
      <p>
        <b>{file}</b> <span class="hint">a file, read-only</span>
      </p>
      {store.entries.value.length === 0 ? null : <SandboxClock />}
    </div>
  )
}

function Brand() {
  return (
    <p class="brand">
      petstore-<b>sandbox</b>
    </p>
  )
}

/** What is not as it usually is, with a link to where it can be changed. */
function Unusual() {
  const { store } = useConsole()
  const { rateLimit, gaps = [] } = store.status.value ?? {}
  const faults = store.faults.value.filter(isWaiting).length
  const fact = (isSo: boolean, screen: ScreenName, text: string) =>
    isSo ? (
      <li>
        <a class="chip" href={linkTo(screen)}>
          {text}
        </a>
      </li>
    ) : null
  return (
    <ul class="group unusual" aria-label="Not the default">
      {fact(faults > 0, 'situations', countText(faults, 'fault'))}
      {fact(rateLimit === 'reported', 'keys', 'limits reported')}
      {fact(gaps.length > 0, 'situations', `${countText(gaps.length, 'gap')} changed`)}
    </ul>
  )
}

/** Whether limits refuse requests, or are only shown. */
function LimitsChoice() {
  const { store } = useConsole()
  const { run } = useAction()
  return (
    <label class="group hint">
      Limits
      <select
        value={store.status.value?.rateLimit}
        onChange={({ currentTarget: { value } }) => {
          const mode = value === 'reported' ? 'reported' : 'enforced'
          void run((client) => client.setRateLimit(mode))
        }}
      >
        <option>enforced</option>
        <option>reported</option>
      </select>
    </label>
  )
}
