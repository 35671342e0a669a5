import { render } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { namesOf } from '../../mock/input/record.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ClockMenu } from '../app/clock-menu.tsx'
import { ConsoleProvider, type ConsoleScope, Notices, useConsole } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { useKeptFocus, useReset } from '../live/use-client.ts'
import { linkTo, parseRoute } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Boundary, Meter } from '../parts/display.tsx'
import { later } from '../parts/later.tsx'
import { Menu } from '../parts/popover.tsx'
import { Sign } from '../parts/sign.tsx'
import { RequestsPlace } from '../requests/requests-place.tsx'
import { pageClient } from './page-client.ts'
import { PageFetch } from './page-fetch.ts'
import type { PanelMemory } from './panel-memory.ts'
import { ShownSandbox } from './shown-sandbox.ts'

export { default as panelStyles } from './panel.css?inline'
export { keep } from './panel-memory.ts'

/** Tabs of the panel, each with a place of the console; all but the first are loaded when they are opened. */
const tabs = {
  requests: { title: 'Requests', path: [], View: RequestsPlace },
  findings: {
    title: 'Findings',
    path: [],
    View: later(async () => (await import('../findings/findings-place.tsx')).FindingsPlace),
  },
  fail: {
    title: 'Fail',
    path: [],
    View: later(async () => (await import('../fail/fail-place.tsx')).FailPlace),
  },
  data: {
    title: 'Data',
    path: ['pets'],
    View: later(async () => (await import('../data/data-place.tsx')).DataPlace),
  },
  spec: {
    title: 'Spec',
    path: [],
    View: later(async () => (await import('../spec/spec-place.tsx')).SpecPlace),
  },
} as const

interface PanelProps {
  readonly sandbox: Sandbox
  readonly frame: HTMLElement
  /** Called when the user closes the panel. */
  readonly close: () => void
  readonly keep: PanelMemory
}

/** Shows a panel for a sandbox at the end of a frame; returns a function that removes it. */
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

/** The panel: a header that is always visible, and one of the console's places. */
function Panel({ sandbox, frame, close, keep }: PanelProps) {
  const [link, setLink] = useState(() => keep({}).link ?? '')
  const [shape, setShape] = useState(() => keep({}))
  const fetching = useMemo(() => new PageFetch(), [])
  useLayoutEffect(() => {
    fetching.begin()
    return () => fetching.end()
  }, [fetching])
  const scope = useMemo((): ConsoleScope => {
    const client = pageClient(new ShownSandbox(sandbox))
    return {
      client,
      store: new LiveStore(client),
      notices: new Notices(),
      go(next) {
        setLink(next)
        keep({ link: next })
      },
      apiUrl: `${location.origin}/v1`,
      sandbox: undefined,
      file: undefined,
      root: frame,
      sentFrom: (entry) => fetching.sentFrom(entry),
      isPanel: true,
    }
  }, [sandbox, frame])
  const { store, go } = scope
  useLayoutEffect(() => store.start(), [store])
  useLayoutEffect(() => {
    void import('./place-styles.ts')
      .then(({ addPlaceStyles }) => addPlaceStyles(frame.getRootNode()))
      .catch(() => {})
  }, [frame])
  useKeptFocus(frame)
  const route = parseRoute(link)
  const { View } = tabs[route.place]
  const { dock = 'float', width = 460, height = 560 } = shape
  const reshape: PanelMemory = (changes) => {
    const kept = keep(changes)
    setShape(kept)
    return kept
  }
  return (
    <ConsoleProvider value={scope}>
      <div
        class={`panel ${dock}`}
        style={{ '--width': `${width}px`, '--height': `${height}px` }}
        role="dialog"
        aria-labelledby="title"
        tabIndex={-1}
        onClick={(event) => {
          const clicked = linkAt(event.target)
          if (clicked === undefined) return
          // The page's own address must not change.
          event.preventDefault()
          go(clicked)
        }}
        onKeyDown={(event) => {
          // Open dialogs and popovers inside close first.
          const isOpen = event.currentTarget.querySelector('dialog[open], :popover-open') !== null
          if (event.key !== 'Escape' || event.defaultPrevented || isOpen) return
          // Otherwise Escape would also close a dialog of the page around the panel.
          event.preventDefault()
          close()
        }}
      >
        <ResizeHandle dock={dock} width={width} height={height} onResize={reshape} />
        <Header close={close} onDock={(next) => void reshape({ dock: next })} />
        <KeyInUse fetching={fetching} />
        <PanelTabs current={route.place} />
        {/* The key resets the scroll position for each place. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also where nothing in it takes the focus */}
        <section key={route.place} class="tab-panel" aria-label="Place" tabIndex={0}>
          <Boundary what="this part of the panel">
            <View route={route} />
          </Boundary>
        </section>
        <Said />
      </div>
    </ConsoleProvider>
  )
}

/** Returns the link of a clicked place; `undefined` for any other click. */
function linkAt(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null
  return link?.getAttribute('href') ?? undefined
}

function PanelTabs({ current }: { readonly current: keyof typeof tabs }) {
  const { store } = useConsole()
  const found = store.current.value.length
  return (
    <nav aria-label="Places">
      <ul class="tabs">
        {namesOf(tabs).map((name) => (
          <li key={name}>
            <a
              class="tab"
              href={linkTo(name, tabs[name].path)}
              aria-current={name === current ? 'page' : undefined}
            >
              {tabs[name].title}
              {name !== 'findings' || found === 0 ? null : <span class="count">{found}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface ResizeHandleProps {
  readonly dock: 'float' | 'right' | 'bottom'
  readonly width: number
  readonly height: number
  readonly onResize: PanelMemory
}

/** Edge or corner that resizes the panel, by pointer or arrow keys. */
function ResizeHandle({ dock, width, height, onResize }: ResizeHandleProps) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined)
  const resize = (x: number, y: number): void => {
    onResize({
      ...(dock === 'bottom' ? {} : { width: Math.min(Math.max(320, width + x), innerWidth - 32) }),
      ...(dock === 'right'
        ? {}
        : { height: Math.min(Math.max(200, height + y), innerHeight - 32) }),
    })
  }
  // The panel extends from the corner of its button in the opposite direction.
  const directions = (element: Element): readonly [number, number] => {
    const { left, top, right, bottom } = element.parentElement?.getBoundingClientRect() ?? {
      ...{ left: 0, top: 0, right: 0, bottom: 0 },
    }
    return [left + right > innerWidth ? -1 : 1, top + bottom > innerHeight ? -1 : 1]
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved
    <div
      class="resize"
      role="separator"
      aria-label="Size of the panel"
      aria-orientation={dock === 'bottom' ? 'horizontal' : 'vertical'}
      aria-valuenow={dock === 'bottom' ? height : width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={({ clientX, clientY, currentTarget }) => {
        if (start.current === undefined) return
        const [right, down] = directions(currentTarget)
        resize((clientX - start.current.x) * right, (clientY - start.current.y) * down)
        start.current = { x: clientX, y: clientY }
      }}
      onPointerUp={() => {
        start.current = undefined
      }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft' || key === 'ArrowRight') resize(key === 'ArrowLeft' ? 20 : -20, 0)
        if (key === 'ArrowUp' || key === 'ArrowDown') resize(0, key === 'ArrowUp' ? 20 : -20)
      }}
    />
  )
}

interface HeaderProps extends Pick<PanelProps, 'close'> {
  readonly onDock: (dock: 'float' | 'right' | 'bottom') => void
}

function Header({ close, onDock }: HeaderProps) {
  const reset = useReset()
  return (
    <header class="bar">
      <h2 id="title" class="grow">
        Pet store sandbox
      </h2>
      <ClockMenu />
      <Button onClick={reset}>Reset</Button>
      <Menu
        kind="quiet"
        label="Dock"
        text={<Sign name="more" />}
        items={[
          ['Float', () => onDock('float')],
          ['Dock at the side', () => onDock('right')],
          ['Dock at the bottom', () => onDock('bottom')],
        ]}
      />
      <Button kind="quiet" label="Close the panel" onClick={close}>
        <Sign name="close" />
      </Button>
    </header>
  )
}

/** Key that the page uses, its quota, and a select to act as another key. */
function KeyInUse({ fetching }: { readonly fetching: PageFetch }) {
  const { store } = useConsole()
  const [actAs, setActAs] = useState<string | undefined>(undefined)
  const last = useRef<string>(undefined)
  const keys = store.keys.value
  const keyOf = store.keyOf.value
  const known = new Map(keys.map((view) => [view.key, view]))
  const latest = store.entries.value.findLast((entry) => known.has(keyOf(entry)))
  // The key stays in use until the page sends another one, even after a reset.
  if (latest !== undefined) last.current = keyOf(latest)
  const view = known.get(last.current ?? '') ?? keys[0]
  if (view === undefined) return null
  const { key, state, minute } = view
  const used = minute.limit - minute.remaining
  return (
    <section class="bar key-in-use" aria-label="Key in use">
      <select
        class="plain"
        aria-label="Act as"
        value={actAs === '' ? 'none' : (actAs ?? 'page')}
        onChange={({ currentTarget: { value } }) => {
          const next = value === 'page' ? undefined : value === 'none' ? '' : value
          fetching.actAs = next
          setActAs(next)
        }}
      >
        <option value="page">{key} (the page)</option>
        <option value="none">act as: no key</option>
        {keys.map((one) => (
          <option key={one.key} value={one.key}>
            act as: {one.key}
          </option>
        ))}
      </select>
      <span class={`hint ${state === 'active' ? '' : 'slow'}`}>{state}</span>
      <Meter label="Minute" used={used} limit={minute.limit} text={`${used}/${minute.limit}`} />
    </section>
  )
}

/** Latest notice, also announced to screen readers. */
function Said() {
  const { notices } = useConsole()
  const notice = notices.shown.value
  const undo = notice?.undo
  return (
    <div class={`bar said ${notice?.kind ?? ''}`}>
      <p class="grow" role="status">
        {notice && <span key={notice.text}>{notice.text}</span>}
      </p>
      {undo === undefined ? null : <Button onClick={undo}>Undo</Button>}
    </div>
  )
}
