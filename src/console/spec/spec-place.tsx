import { useEffect, useState } from 'preact/hooks'
import { countText } from '../../checks/reports/text.ts'
import {
  type GapName,
  gapDescriptions,
  gapNames,
  gaps,
  unpromisedGaps,
} from '../../mock/api/gaps.ts'
import type { WhatIf } from '../../sandbox/controls/what-if.ts'
import { FilePicker } from '../data/file-picker.tsx'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { ClauseText, DocumentLink, loadSpec } from '../parts/document-link.tsx'
import { SearchInput } from '../parts/filters.tsx'
import { type Calibrated, CalibrationView } from './calibration.tsx'
import { defaultChoice } from './gap-texts.ts'
import { GapRow } from './gaps.tsx'
import { WhatIfTable } from './what-if-table.tsx'

/** The clauses of the spec, in its order. */
const clauses = [
  ['1', 'The service'],
  ['2', 'Resources'],
  ['3', 'States'],
  ['4', 'Operations'],
  ['4.1', 'List pets'],
  ['4.2', 'Add a pet'],
  ['4.3', 'Get a pet'],
  ['4.4', 'Other operations'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
] as const

/** The spec clause by clause, each with its gaps and their values beside it. */
export function SpecPlace({ route: { path } }: PlaceProps) {
  const { store, run: shownRun, isPanel } = useConsole()
  const run = useAction()
  const [found, setFound] = useState<WhatIf | undefined>(undefined)
  const [search, setSearch] = useState('')
  const [calibrated, setCalibrated] = useState<Calibrated | undefined>(undefined)
  const view = store.gaps.value
  const wanted = path[0]
  useEffect(() => {
    if (wanted === undefined || isPanel) return
    // The texts of earlier clauses have loaded by then.
    void loadSpec(store).then(() =>
      requestAnimationFrame(() => document.getElementById(`spec-${wanted}`)?.scrollIntoView()),
    )
  }, [wanted, view === undefined])
  if (view === undefined) return <p class="hint">The gaps are not known at the moment.</p>
  const chosen = (name: GapName): string => String(view[name])
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = gapNames.filter((name) => {
    const text = `${name} ${gapDescriptions[name].summary} ${chosen(name)} spec ${gaps[name].spec}`
    return words.every((word) => text.toLowerCase().includes(word))
  })
  const changed = gapNames.filter((name) => chosen(name) !== defaultChoice(name))
  const isShort = words.length > 0 || isPanel
  return (
    <div class="stack wide">
      <search class="row screen-bar">
        <SearchInput
          label="Search the gaps"
          placeholder="Search gaps: name, text, value, clause"
          value={search}
          onInput={setSearch}
        />
        <p class="hint" role="status">
          {countText(gapNames.length, 'gap')}, {changed.length} changed
        </p>
        <div class="group end">
          <Button
            hint="Which values of gaps would change a response so far?"
            onClick={() =>
              void run(async (client) => setFound(await client.whatIf({ count: true })))
            }
          >
            What if
          </Button>
          {isPanel ? null : (
            <FilePicker
              text="Compare with a HAR file…"
              accept=".har,.json"
              onFiles={(files) => setCalibrated({ files })}
            />
          )}
        </div>
      </search>
      {found === undefined ? null : (
        <WhatIfTable found={found} onClose={() => setFound(undefined)} />
      )}
      {calibrated === undefined ? null : (
        <CalibrationView key={calibrated} calibrated={calibrated} onChange={setCalibrated} />
      )}
      <div class={isPanel ? '' : 'spec-columns'}>
        {isPanel ? null : (
          <nav class="clauses" aria-label="Clauses">
            <ul>
              {clauses.map(([number, title]) => (
                <li key={number} class={number.includes('.') ? 'inner' : ''}>
                  <a
                    href={linkTo('spec', [number])}
                    aria-current={number === wanted ? 'true' : undefined}
                  >
                    <span class="hint">{number}</span> {title}
                    <Count names={changed} clause={number} />
                  </a>
                </li>
              ))}
            </ul>
            <p class="hint">
              <DocumentLink to="api.html" text="As one page" />
            </p>
          </nav>
        )}
        <div class="stack sections">
          {clauses.map(([number, title]) => {
            const own = shown.filter((name) => gaps[name].spec === number)
            if (isShort && own.length === 0) return null
            return (
              <section key={number} id={`spec-${number}`} class="clause" aria-label={title}>
                <h2>
                  <span class="hint">{number}</span> {title}
                </h2>
                {isShort ? null : <ClauseText clause={number} omitsGaps />}
                {number === '8' && shownRun === undefined ? <LimitsSwitch /> : null}
                {own.length === 0 ? null : (
                  <ul class="list gaps" aria-label={`Gaps of clause ${number}`}>
                    {own.map((name) => (
                      <GapRow
                        key={name}
                        name={name}
                        chosen={chosen(name)}
                        isBeyond={unpromisedGaps.includes(name)}
                      />
                    ))}
                  </ul>
                )}
              </section>
            )
          })}
          {shown.length === 0 ? <p class="hint">No gap fits.</p> : null}
        </div>
      </div>
    </div>
  )
}

/** Number of changed gaps of a clause. */
function Count({ names, clause }: { readonly names: readonly GapName[]; readonly clause: string }) {
  const count = names.filter((name) => gaps[name].spec === clause).length
  return count === 0 ? null : <span class="count">{count} changed</span>
}

/** Switch for rejecting requests over quota. */
function LimitsSwitch() {
  const { store } = useConsole()
  const run = useAction()
  const isEnforced = store.status.value?.rateLimits !== 'report-only'
  return (
    <label class="group check">
      <input
        type="checkbox"
        checked={isEnforced}
        onChange={() =>
          void run((client) => client.setRateLimits(isEnforced ? 'report-only' : 'enforce'))
        }
      />
      Reject requests over quota <span class="hint">else limits are only reported</span>
    </label>
  )
}
