import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { Link } from '../live/live-store.ts'
import { routeInAddress, type ScreenName, useAddress } from '../model/route.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Tabs } from '../parts/controls/tabs.tsx'
import { Problem } from '../parts/display.tsx'
import { HelpLink } from '../parts/document-link.tsx'
import { Announcer, NoticePlace, Strip, useIsAway } from './messages.tsx'
import { screens, useScreenNames } from './screens.tsx'
import { type ChooserProps, TopBar } from './top-bar.tsx'

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
