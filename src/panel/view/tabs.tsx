import type { VNode } from 'preact'
import { type PanelStore, type Section, sections } from './panel-store.ts'
import type { PartProps } from './part-props.ts'

const names: Readonly<Record<Section, string>> = {
  requests: 'Requests',
  situations: 'Situations',
  findings: 'Findings',
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Which part of the panel is in view; arrow keys change it. */
export function Tabs({ store }: PartProps): VNode {
  const chosen = store.section.value
  const move = (event: KeyboardEvent): void => {
    const place = placeAfter(event.key, sections.indexOf(chosen))
    const next = sections[place]
    if (next === undefined || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    store.section.value = next
    const tab = event.currentTarget.children[place]
    if (tab instanceof HTMLElement) tab.focus()
  }
  return (
    <div class="tab-bar" role="tablist" aria-label="Parts of the panel" onKeyDown={move}>
      {sections.map((section) => (
        <button
          key={section}
          type="button"
          role="tab"
          id={`tab-${section}`}
          aria-selected={section === chosen}
          aria-controls={section === chosen ? 'part' : undefined}
          tabIndex={section === chosen ? 0 : -1}
          onClick={() => {
            store.section.value = section
          }}
        >
          {names[section]}
          <Count store={store} section={section} />
        </button>
      ))}
    </div>
  )
}

function placeAfter(key: string, place: number): number {
  if (key === 'Home') return 0
  if (key === 'End') return sections.length - 1
  const step = steps[key]
  return step === undefined ? -1 : (place + step + sections.length) % sections.length
}

/** How much there is of what asks for attention. */
function Count({ store, section }: { store: PanelStore; section: Section }): VNode | null {
  const counts: Partial<Record<Section, number>> = {
    situations: store.sight.value.faults.length,
    findings: store.findings.value?.filter(({ severity }) => severity !== 'info').length ?? 0,
  }
  const count = counts[section] ?? 0
  return count === 0 ? null : <span class="count">{count}</span>
}
