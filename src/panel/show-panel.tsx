import { type ComponentType, render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ClockMenu } from '../console/app/clock-menu.tsx'
import { KeyWindow, stateTones } from '../console/keys/key-window.tsx'
import {
  ConsoleProvider,
  type ConsoleScope,
  Notices,
  useConsole,
} from '../console/live/console-context.ts'
import { LiveStore } from '../console/live/live-store.ts'
import { useAction } from '../console/live/use-client.ts'
import { linkTo, parseRoute } from '../console/model/route.ts'
import { Button } from '../console/parts/controls/button.tsx'
import { Tabs } from '../console/parts/controls/tabs.tsx'
import { Badge, Boundary } from '../console/parts/display.tsx'
import { RequestsScreen } from '../console/requests/requests-screen.tsx'
import { isWaiting } from '../console/situations/fault-texts.ts'
import { namesOf } from '../input/record.ts'
import type { Sandbox } from '../sandbox.ts'
import { pageClient } from './page-client.ts'

export { default as panelStyles } from './panel.css?inline'

/** The screens of the console that a panel has; all but the first are loaded when they are opened. */
const screens = {
  requests: { title: 'Requests', View: RequestsScreen },
  keys: {
    title: 'Keys',
    View: later(async () => (await import('../console/keys/keys-screen.tsx')).KeysScreen),
  },
  situations: {
    title: 'Situations',
    View: later(
      async () => (await import('../console/situations/situations-screen.tsx')).SituationsScreen,
    ),
  },
  findings: {
    title: 'Findings',
    View: later(
      async () => (await import('../console/findings/findings-screen.tsx')).FindingsScreen,
    ),
  },
} as const

/** Makes a component of one that is loaded when it is first shown. */
function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return (props) => {
    const [View, setView] = useState<ComponentType<Props> | undefined>(undefined)
    useEffect(() => void load().then((loaded) => setView(() => loaded)), [])
    return View === undefined ? null : <View {...props} />
  }
}

type PanelScreen = keyof typeof screens

function isPanelScreen(name: string): name is PanelScreen {
  return Object.hasOwn(screens, name)
}

interface PanelProps {
  readonly sandbox: Sandbox
  readonly frame: HTMLElement
  /** Called when the user has done with it. */
  readonly close: () => void
}

/** Shows a panel over a sandbox at the end of a frame; returns what takes it away, and ends what it does. */
export function showPanel(props: PanelProps): () => void {
  const place = document.createElement('div')
  place.className = 'place'
  props.frame.append(place)
  render(<Panel {...props} />, place)
  return () => {
    render(null, place)
    place.remove()
  }
}

/** The panel: what is always in view, and one of the console's screens. */
function Panel({ sandbox, frame, close }: PanelProps) {
  const [route, setRoute] = useState(() => parseRoute(''))
  const scope = useMemo((): ConsoleScope => {
    const client = pageClient(sandbox)
    return {
      client,
      store: new LiveStore(client),
      notices: new Notices(),
      go(link) {
        const next = parseRoute(link)
        if (isPanelScreen(next.screen)) setRoute(next)
      },
      apiUrl: `${location.origin}/v1`,
      sandbox: undefined,
      file: undefined,
      root: frame,
      isPanel: true,
    }
  }, [sandbox, frame])
  const { store, go } = scope
  useLayoutEffect(() => store.start(), [store])
  const shown = isPanelScreen(route.screen) ? route.screen : 'requests'
  const { View } = screens[shown]
  const counts: Readonly<Partial<Record<PanelScreen, number>>> = {
    situations: store.faults.value.filter(isWaiting).length,
    findings: store.current.value.length,
  }
  const tabs = namesOf(screens).map((name) => {
    return { name, title: screens[name].title, count: counts[name] }
  })
  return (
    <ConsoleProvider value={scope}>
      <div
        class="panel"
        role="dialog"
        aria-labelledby="title"
        tabIndex={-1}
        onClick={(event) => {
          const link = linkAt(event.target)
          if (link === undefined) return
          // The address is the page's.
          event.preventDefault()
          go(link)
        }}
        onKeyDown={(event) => {
          // What is open within it closes first.
          const isOpen = event.currentTarget.querySelector('dialog[open], :popover-open') !== null
          if (event.key !== 'Escape' || event.defaultPrevented || isOpen) return
          // It is not for the page's dialog, in which the panel may be.
          event.preventDefault()
          close()
        }}
      >
        <Header close={close} />
        <KeyInUse />
        <Tabs tabs={tabs} current={shown} />
        {/* Each begins at its top. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also where nothing in it takes the focus */}
        <section key={shown} class="tab-panel" aria-label="Screen" tabIndex={0}>
          <Boundary what="this part of the panel">
            <View route={route} />
          </Boundary>
        </section>
        <Said />
      </div>
    </ConsoleProvider>
  )
}

/** The link to a screen that was clicked; `undefined` for anything else. */
function linkAt(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null
  return link?.getAttribute('href') ?? undefined
}

function Header({ close }: Pick<PanelProps, 'close'>) {
  const { run } = useAction()
  const { notices } = useConsole()
  const reset = async (): Promise<void> => {
    let before: unknown
    const isReset = await run(async (client) => {
      before = await client.snapshot()
      await client.reset()
    })
    const undo = (): void => void run((client) => client.restore(before), 'The reset is undone')
    if (isReset) notices.add('done', 'Everything is as at the start', undo)
  }
  return (
    <header class="group bar">
      <h2 id="title" class="grow">
        Pet store sandbox
      </h2>
      <ClockMenu />
      <Button onClick={() => void reset()}>Reset</Button>
      <Button kind="quiet" label="Close the panel" onClick={close}>
        ✕
      </Button>
    </header>
  )
}

/** What the key has left that the page uses: the one of the latest request with one that the sandbox knows. */
function KeyInUse() {
  const { store } = useConsole()
  const last = useRef<string>(undefined)
  const keys = store.keys.value
  const keyOf = store.keyOf.value
  const known = new Map(keys.map((view) => [view.key, view]))
  const latest = store.entries.value.findLast((entry) => known.has(keyOf(entry)))
  // It stays in use while no other comes, even if the sandbox is reset.
  if (latest !== undefined) last.current = keyOf(latest)
  const view = known.get(last.current ?? '') ?? keys[0]
  if (view === undefined) return null
  const { key, plan, state, minute, day } = view
  return (
    <section class="columns key-in-use" aria-label="Key in use">
      <p class="row">
        <a href={linkTo('keys', [key])}>{key}</a> <span class="hint">{plan}</span>
        <Badge tone={stateTones[state]} text={state} />
      </p>
      <KeyWindow label="Minute" window={minute} />
      <KeyWindow label="Day" window={day} />
    </section>
  )
}

/** What has just been done, told to a screen reader too. */
function Said() {
  const { notices } = useConsole()
  const notice = notices.shown.value
  return (
    <div class={`group said ${notice?.kind ?? ''}`}>
      <p class="grow" role="status">
        {notice && <span key={notice.text}>{notice.text}</span>}
      </p>
      {notice?.undo && <Button onClick={notice.undo}>Undo</Button>}
    </div>
  )
}
