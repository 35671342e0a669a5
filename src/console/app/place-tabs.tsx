import { useEffect, useRef } from 'preact/hooks'
import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import { linkTo, type PlaceName } from '../model/route.ts'
import { places } from './places.ts'

interface PlaceTabsProps {
  readonly names: readonly PlaceName[]
  readonly current: PlaceName
}

/** Links to the places. */
export function PlaceTabs({ names, current }: PlaceTabsProps) {
  return (
    <nav aria-label="Places">
      <ul class="tabs">
        {names.map((name) => (
          <li key={name}>
            <Tab name={name} isCurrent={name === current} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface TabProps {
  readonly name: PlaceName
  readonly isCurrent: boolean
}

/** A link to a place; the current one is scrolled into view. */
function Tab({ name, isCurrent }: TabProps) {
  const { store } = useConsole()
  const { title, count } = places[name]
  const link = useRef<HTMLAnchorElement>(null)
  const number = count?.(store) ?? 0
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isCurrent])
  return (
    <a ref={link} class="tab" href={linkTo(name)} aria-current={isCurrent ? 'page' : undefined}>
      {title}
      {number === 0 ? null : <span class="count">{formatCount(number)}</span>}
    </a>
  )
}
