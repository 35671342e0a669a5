import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly {
    readonly name: Name
    readonly title: string
    /** How many there are of what asks for attention. */
    readonly count?: number
  }[]
  readonly shown: Name
  readonly onShow: (name: Name) => void
  /** What the tab that is shown has. */
  readonly children: ComponentChildren
}

/** Several contents in one place; arrow keys, Home and End go from tab to tab. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, shown, onShow, children } = props
  const id = useId()
  const at = tabs.findIndex(({ name }) => name === shown)
  const last = tabs.length - 1
  const places: Readonly<Record<string, number>> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  }
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const place = places[event.key] ?? -1
    const next = tabs[place]
    if (next === undefined) return
    event.preventDefault()
    onShow(next.name)
    event.currentTarget.querySelectorAll('button')[place]?.focus()
  }
  return (
    <>
      <div class="tabs tab-bar" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, title, count = 0 }) => (
          <button
            key={name}
            type="button"
            role="tab"
            class="tab"
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={name === shown ? `${id}-panel` : undefined}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {title}
            {count === 0 ? null : <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        // Each begins at its top.
        key={shown}
        class="tab-panel"
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${shown}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also where nothing in it takes the focus
        tabIndex={0}
      >
        {children}
      </div>
    </>
  )
}
