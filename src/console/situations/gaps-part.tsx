import { useState } from 'preact/hooks'
import { gapNames } from '../../contract/gaps.ts'
import { unpromisedGaps } from '../../contract/openapi/gap-descriptions.ts'
import type { Counterfactual } from '../../control/reports/counterfactual-report.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { countText } from '../model/count-text.ts'
import { gapEffect } from '../model/situations/gap-effects.ts'
import { defaultChoice, gapSettingsOf } from '../model/situations/gap-texts.ts'
import { Button } from '../parts/controls/button.tsx'
import { GapRow } from './gap-row.tsx'

const promised = gapNames.filter((name) => !unpromisedGaps.includes(name))

/** The choices where the interface leaves something open, and which of them matter to the requests so far. */
export function GapsPart() {
  const { store, file } = useConsole()
  const { run, isBusy } = useAction()
  const [found, setFound] = useState<Counterfactual | undefined>(undefined)
  const view = store.gaps.value
  if (view === undefined) return null
  const changed = gapNames.filter((name) => String(view[name]) !== defaultChoice(name))
  const putBack = () =>
    gapSettingsOf(Object.fromEntries(changed.map((name) => [name, defaultChoice(name)])))
  const rowsOf = (names: typeof gapNames) => (
    <ul class="gaps">
      {names.map((name) => (
        <GapRow
          key={name}
          name={name}
          chosen={String(view[name])}
          effect={found === undefined ? undefined : gapEffect(found, name)}
        />
      ))}
    </ul>
  )
  return (
    <section class="box situation" aria-labelledby="gaps">
      <header>
        <h2 id="gaps">Gaps</h2>
        <p class="hint">
          {changed.length === 0 ? 'All are at their defaults.' : `${changed.length} changed.`}
        </p>
        <div class="actions">
          <Button
            disabled={isBusy}
            about="Replay all requests so far under each other choice; it takes a moment"
            onClick={() =>
              void run(async (client) => setFound(await client.counterfactual({ count: true })))
            }
          >
            {isBusy ? 'Finding out …' : 'Find out which matter'}
          </Button>
          {changed.length === 0 || file !== undefined ? null : (
            <Button
              disabled={isBusy}
              onClick={() =>
                void run((client) => client.setGaps(putBack()), 'All gaps are at their defaults')
              }
            >
              Put back to defaults
            </Button>
          )}
        </div>
      </header>
      <p class="hint" role="status">
        {found === undefined ? '' : summaryOf(found)}
      </p>
      <h3>What the interface leaves open</h3>
      {rowsOf(promised)}
      <h3>What nobody has promised</h3>
      {rowsOf(unpromisedGaps)}
    </section>
  )
}

function summaryOf(found: Counterfactual): string {
  const count = gapNames.filter((name) => gapEffect(found, name).kind === 'matters').length
  const requests = countText(found.exchanges, 'request')
  const before =
    found.earlier === undefined
      ? ''
      : ` ${countText(found.earlier.exchanges, 'request')} before these are forgotten.`
  return `${count} of ${gapNames.length} gaps matter to the ${requests} so far.${before}`
}
