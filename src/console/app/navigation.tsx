import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { Link } from '../live/live-store.ts'
import { linkTo, type ScreenName } from '../model/route.ts'
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
  const nav = useRef<HTMLElement>(null)
  const counts = names.map((name) => screens[name].count?.(store) ?? 0)
  useEffect(() => {
    // In a narrow window they are wider than it, and counts, which come later, make them wider still.
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current, counts.join()])
  return (
    <div class="bar navigation">
      <nav ref={nav} aria-label="Screens">
        <ul class="tabs">
          {names.map((name, index) => {
            const found = counts[index] ?? 0
            return (
              <li key={name}>
                <a
                  class="tab"
                  href={linkTo(name)}
                  aria-current={name === current ? 'page' : undefined}
                >
                  {screens[name].title}
                  {found === 0 ? null : <span class="count">{found.toLocaleString('en')}</span>}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
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
