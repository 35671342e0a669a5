import { render } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ClockMenu } from '../app/clock-menu.tsx'
import { PlaceTabs } from '../app/place-tabs.tsx'
import { places } from '../app/places.ts'
import { ConsoleProvider, type ConsoleScope, Notices, useConsole } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { useKeptFocus, useReset } from '../live/use-client.ts'
import { parseRoute, placeNames } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Boundary, Meter } from '../parts/display.tsx'
import { later } from '../parts/later.tsx'
import { Sign } from '../parts/sign.tsx'
import { pageClient } from './page-client.ts'
import { PageFetch } from './page-fetch.ts'
import type { PanelMemory } from './panel-memory.ts'
import { currentScenario, goTo, nextScenario, type ScenarioWalk } from './scenario-walk.ts'
import { ShownSandbox } from './shown-sandbox.ts'

export { default as panelStyles } from './panel.css?inline'
export { keep } from './panel-memory.ts'

/** Not needed at first. */
const InForceChips = later(async () => (await import('../app/in-force.tsx')).InForceChips)

interface PanelProps {
  readonly walk: ScenarioWalk
  /** Called when the user closes the panel; `undefined` if it stays. */
  readonly close: (() => void) | undefined
  readonly keep: PanelMemory
}

/** Shows a panel for a sandbox at the end of a frame; returns a function that removes it. */
export function showPanel(props: PanelProps): () => void {
  const place = document.createElement('div')
  place.className = 'place'
  props.walk.frame.append(place)
  render(<Panel {...props} />, place)
  return () => {
    render(null, place)
    place.remove()
  }
}

/** The panel: a header that is always visible, and one of the console's places. */
function Panel({ walk, close, keep }: PanelProps) {
  const { sandbox, frame } = walk
  const [link, setLink] = useState(() => keep({}).link ?? '')
  const fetching = useMemo(() => new PageFetch(), [])
  useLayoutEffect(() => {
    fetching.begin()
    return () => fetching.end()
  }, [fetching])
  const scope = useMemo((): ConsoleScope => {
    const client = pageClient(new ShownSandbox(sandbox))
    const apiUrl = `${location.origin}/v1`
    return {
      client,
      store: new LiveStore(client),
      notices: new Notices(),
      go(next) {
        setLink(next)
        keep({ link: next })
      },
      apiUrl,
      sandbox: undefined,
      run: undefined,
      async send(request) {
        const { sendRequest } = await import('../live/send-request.ts')
        return await sendRequest(request, { client, apiUrl, send: (one) => sendTo(sandbox, one) })
      },
      linkOf: () => undefined,
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
  const { View } = places[route.place]
  return (
    <ConsoleProvider value={scope}>
      <div
        class="panel shell"
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
          if (event.key !== 'Escape' || event.defaultPrevented || isOpen || !close) return
          // Otherwise Escape would also close a dialog of the page around the panel.
          event.preventDefault()
          close()
        }}
      >
        <Header close={close} />
        <KeyInUse fetching={fetching} />
        <ScenarioBar walk={walk} />
        <PlaceTabs names={placeNames} current={route.place} />
        <InForceChips />
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

/** Sends a request to a sandbox, past the page's interceptors. */
async function sendTo(sandbox: Sandbox, request: Request): Promise<void> {
  const { method, headers, signal } = request
  const { pathname, search } = new URL(request.url)
  const [url, body] = [pathname + search, await request.text()]
  await sandbox.handle({ method, url, headers: Object.fromEntries(headers), body }, signal)
}

/** Returns the link of a clicked place; `undefined` for any other click. */
function linkAt(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null
  return link?.getAttribute('href') ?? undefined
}

function Header({ close }: Pick<PanelProps, 'close'>) {
  return (
    <header class="bar">
      <h2 id="title" class="grow">
        Pet store sandbox
      </h2>
      <ClockMenu />
      <Button onClick={useReset()}>Reset</Button>
      {close === undefined ? null : (
        <Button kind="quiet" label="Close the panel" onClick={close}>
          <Sign name="close" />
        </Button>
      )}
    </header>
  )
}

/** The scenario that the page is in, a button to leave it, and one for the next. */
function ScenarioBar({ walk }: { readonly walk: ScenarioWalk }) {
  const views = useConsole().store.scenarios.value
  if (views.length === 0) return null
  const current = currentScenario(views, walk)
  const next = nextScenario(views, current)
  return (
    <section class="bar key-in-use" aria-label="Scenario">
      <span class="hint">Scenario</span>
      <p class="grow scenario" role="status" title={current?.summary}>
        {current?.title ?? 'none'}
        {current?.inForce === false ? ', over' : ''}
      </p>
      {current === undefined ? null : (
        <Button kind="quiet" label="Leave the scenario" onClick={() => goTo(undefined, walk)}>
          Leave
        </Button>
      )}
      <Button hint="Alt+Shift+N" onClick={() => goTo(next, walk)}>
        Next: {next?.title ?? 'none'}
      </Button>
    </section>
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
      <label class="hint" for="act-as">
        Act as
      </label>
      <select
        id="act-as"
        value={actAs === '' ? 'none' : (actAs ?? 'page')}
        onChange={({ currentTarget: { value } }) => {
          const next = value === 'page' ? undefined : value === 'none' ? '' : value
          fetching.actAs = next
          setActAs(next)
        }}
      >
        <option value="page">the page ({key})</option>
        <option value="none">no key</option>
        {keys.map((one) => (
          <option key={one.key} value={one.key}>
            {one.key}
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
