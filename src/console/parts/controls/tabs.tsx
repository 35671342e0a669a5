import { useEffect, useRef } from 'preact/hooks'
import { linkTo, type ScreenName } from '../../model/route.ts'

interface TabsProps {
  readonly tabs: readonly {
    readonly name: ScreenName
    readonly title: string
    /** How many there are of what the screen shows, if that is worth knowing beforehand. */
    readonly count: number | undefined
  }[]
  readonly current: ScreenName
}

/** Links to screens, that of the current one in view. */
export function Tabs({ tabs, current }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  const counts = tabs.map(({ count }) => count).join()
  useEffect(() => {
    // In a narrow window they are wider than it, and counts, which come later, make them wider still.
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current, counts])
  return (
    <nav ref={nav} aria-label="Screens">
      <ul class="tabs">
        {tabs.map(({ name, title, count = 0 }) => (
          <li key={name}>
            <a class="tab" href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
              {title}
              {count === 0 ? null : <span class="count">{count.toLocaleString('en')}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
