import { useConsole } from '../live/console-context.ts'
import type { Link } from '../live/live-store.ts'
import type { ScreenName } from '../model/route.ts'
import { Tabs } from '../parts/controls/tabs.tsx'
import { HelpLink } from '../parts/document-link.tsx'
import { screens } from './screens.tsx'

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
export function Navigation({ names, current }: NavigationProps) {
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
