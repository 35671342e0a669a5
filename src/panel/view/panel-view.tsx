import type { VNode } from 'preact'
import { Button } from '../../console/parts/controls/button.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Findings } from './findings.tsx'
import { KeyCard } from './key-card.tsx'
import type { PanelStore, Section } from './panel-store.ts'
import type { PartProps } from './part-props.ts'
import { Requests } from './requests/requests.tsx'
import { Situations } from './situations/situations.tsx'
import { Tabs } from './tabs.tsx'

const parts: Readonly<Record<Section, (props: PartProps) => VNode>> = {
  requests: Requests,
  situations: Situations,
  findings: Findings,
}

/** The panel: what is always in view, and one of its parts. */
export function PanelView({ store, close }: PartProps & { readonly close: () => void }): VNode {
  const Part = parts[store.section.value]
  return (
    <div class="panel" role="dialog" aria-labelledby="title" tabIndex={-1}>
      <header>
        <h2 id="title">Pet store sandbox</h2>
        <Button onClick={() => reset(store)}>Reset</Button>
        <Button kind="quiet" label="Close the panel" onClick={close}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m3.5 3.5 9 9m0-9-9 9" />
          </svg>
        </Button>
      </header>
      <ClockBar store={store} />
      <KeyCard store={store} />
      <Tabs store={store} />
      <div
        // Each begins at its top.
        key={store.section.value}
        class="part"
        id="part"
        role="tabpanel"
        aria-labelledby={`tab-${store.section.value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also where nothing in it takes the focus
        tabIndex={0}
      >
        <Part store={store} />
      </div>
      <Said store={store} />
    </div>
  )
}

/** Goes back to the seed, in such a way that it can be taken back. */
function reset(store: PanelStore): void {
  const { sandbox } = store
  let before: unknown
  store.act(
    'Everything is as at the start.',
    () => {
      before = sandbox.snapshot()
      sandbox.reset()
    },
    () => store.act('The reset is undone.', () => sandbox.restore(before)),
  )
}

/** What has just been done, told to a screen reader too. */
function Said({ store }: PartProps): VNode {
  const saying = store.saying.value
  return (
    <div class="said" data-error={saying?.isError}>
      <p role="status">{saying && <span key={saying.count}>{saying.text}</span>}</p>
      {saying?.undo && <Button onClick={saying.undo}>Undo</Button>}
    </div>
  )
}
