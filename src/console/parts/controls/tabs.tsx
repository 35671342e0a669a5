import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

interface Tab {
  readonly title: string
  readonly content: ComponentChildren
}

/** Several contents in one place; arrow keys go from tab to tab. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [shown, setShown] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const id = useId()
  const go = (to: number): void => {
    const next = (to + tabs.length) % tabs.length
    setShown(next)
    const buttons = bar.current?.querySelectorAll('button')
    buttons?.[next]?.focus()
  }
  return (
    <div class="tabs">
      <div
        ref={bar}
        class="tab-bar"
        role="tablist"
        aria-label={label}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') go(shown + 1)
          if (key === 'ArrowLeft') go(shown - 1)
        }}
      >
        {tabs.map(({ title }, at) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={at === shown}
            aria-controls={`${id}-panel`}
            tabIndex={at === shown ? 0 : -1}
            onClick={() => setShown(at)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${shown}`}>
        {tabs[shown]?.content}
      </div>
    </div>
  )
}
