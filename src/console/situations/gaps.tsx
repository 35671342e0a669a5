import { useId, useState } from 'preact/hooks'
import {
  choicesText,
  type GapName,
  gapDescriptions,
  gapNames,
  gaps,
  unpromisedGaps,
} from '../../contract/gaps.ts'
import type { Counterfactual } from '../../control/reports.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { SearchInput } from '../parts/controls/filters.tsx'
import { ClauseLink } from '../parts/document-link.tsx'
import { defaultChoice, gapEffects, gapSettingsOf, listedChoices } from './gap-texts.ts'

/** The choices where the interface leaves something open: those that were changed, those that matter, and the rest. */
export function Gaps() {
  const { store, file } = useConsole()
  const { run, isBusy } = useAction()
  const [found, setFound] = useState<Counterfactual | undefined>(undefined)
  const [search, setSearch] = useState('')
  const view = store.gaps.value
  if (view === undefined) return null
  const chosen = (name: GapName): string => String(view[name])
  const isChanged = (name: GapName): boolean => chosen(name) !== defaultChoice(name)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = gapNames.filter((name) => {
    const text = `${name} ${gapDescriptions[name].about} ${chosen(name)} spec ${gaps[name].spec}`
    return words.every((word) => text.toLowerCase().includes(word))
  })
  const changed = shown.filter(isChanged)
  const mattering = shown.filter((name) => !isChanged(name) && gapEffects(found, name).length > 0)
  const rest = shown.filter((name) => !changed.includes(name) && !mattering.includes(name))
  const allChanged = gapNames.filter(isChanged)
  const defaults = Object.fromEntries(allChanged.map((name) => [name, defaultChoice(name)]))
  const listOf = (title: string, names: readonly GapName[]) =>
    names.length === 0 ? null : (
      <>
        {title === '' ? null : <h3>{title}</h3>}
        <ul class="list">
          {names.map((name) => (
            <GapRow key={name} name={name} chosen={chosen(name)} found={found} />
          ))}
        </ul>
      </>
    )
  return (
    <section class="stack" aria-labelledby="gaps">
      <header class="row">
        <h2 id="gaps" class="title">
          Gaps
        </h2>
        <p class="hint">
          Where the interface leaves a choice.{' '}
          {allChanged.length === 0 ? 'All are at their defaults.' : `${allChanged.length} changed.`}
        </p>
      </header>
      <search class="row">
        <SearchInput
          label="Search the gaps"
          placeholder="Search: name, text, choice, clause"
          value={search}
          onInput={setSearch}
        />
        <Button
          disabled={isBusy}
          onClick={() =>
            void run(async (client) => setFound(await client.counterfactual({ count: true })))
          }
        >
          {isBusy ? 'Finding out …' : 'Find out which matter'}
        </Button>
        {allChanged.length === 0 || file !== undefined ? null : (
          <Button
            disabled={isBusy}
            onClick={() =>
              void run(
                (client) => client.setGaps(gapSettingsOf(defaults)),
                'All gaps are at their defaults',
              )
            }
          >
            Set all to defaults
          </Button>
        )}
      </search>
      <p class="hint" role="status">
        {found === undefined ? '' : summaryOf(found)}
      </p>
      {listOf('Changed', changed)}
      {listOf('Matter to your requests', mattering)}
      {rest.length === 0 ? null : (
        <details open={search !== '' || file !== undefined}>
          <summary>
            {rest.length === shown.length ? countText(rest.length, 'gap') : `${rest.length} others`}
          </summary>
          {listOf(
            '',
            rest.filter((name) => !unpromisedGaps.includes(name)),
          )}
          {listOf(
            'Beyond the interface',
            rest.filter((name) => unpromisedGaps.includes(name)),
          )}
        </details>
      )}
      {shown.length === 0 ? <p class="hint">No gap fits.</p> : null}
    </section>
  )
}

function summaryOf(found: Counterfactual): string {
  const count = gapNames.filter((name) => gapEffects(found, name).length > 0).length
  const before =
    found.earlier === undefined
      ? ''
      : ` ${countText(found.earlier.exchanges, 'request')} before these are forgotten.`
  return `${count} of ${gapNames.length} gaps matter to the ${countText(found.exchanges, 'request')} so far.${before}`
}

interface GapRowProps {
  readonly name: GapName
  /** The choice in force. */
  readonly chosen: string
  readonly found: Counterfactual | undefined
}

/** A gap in a line: its name, what it is about, the choice, and what another one would have meant. */
function GapRow({ name, chosen, found }: GapRowProps) {
  const { file } = useConsole()
  const { run } = useAction()
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const id = useId()
  const choices = listedChoices(name)
  const standard = defaultChoice(name)
  const choose = async (wanted: string): Promise<void> => {
    try {
      const settings = gapSettingsOf({ [name]: wanted.trim() })
      setProblem(undefined)
      await run((client) => client.setGaps(settings), `${name} is ${wanted}`)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const input = {
    id,
    'aria-describedby': problem === undefined ? `${id}-about` : `${id}-problem`,
    'aria-invalid': problem === undefined ? undefined : true,
  }
  return (
    <li class="gap">
      <span class="row">
        {file === undefined ? <label for={id}>{name}</label> : name}{' '}
        <ClauseLink clause={gaps[name].spec} />
      </span>
      <span class="hint" id={`${id}-about`}>
        {gapDescriptions[name].about}
        {choices.length > 0 ? '' : ` Choices: ${choicesText(gaps[name])}.`}
        <Effects name={name} found={found} />
      </span>
      {file !== undefined ? (
        <b>{chosen}</b>
      ) : (
        <form
          // Somebody else may have chosen.
          key={chosen}
          class="group"
          onSubmit={(event) => {
            event.preventDefault()
            const typed = new FormData(event.currentTarget).get('choice')
            if (typeof typed === 'string') void choose(typed)
          }}
        >
          {choices.length === 0 ? (
            <input {...input} name="choice" required autocomplete="off" defaultValue={chosen} />
          ) : (
            <select {...input} onChange={({ currentTarget }) => void choose(currentTarget.value)}>
              {choices.map((choice) => (
                <option key={choice} value={choice} selected={choice === chosen}>
                  {choice === standard ? `${choice} (default)` : choice}
                </option>
              ))}
            </select>
          )}
          {chosen === standard ? null : (
            <Button
              kind="quiet"
              label={`Set ${name} to its default, ${standard}`}
              onClick={() => void choose(standard)}
            >
              ↺
            </Button>
          )}
        </form>
      )}
      {problem === undefined ? null : (
        <p class="field-error" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </li>
  )
}

/** How many requests would have had another reply, with links to the first of them. */
function Effects({ name, found }: Omit<GapRowProps, 'chosen'>) {
  const effects = gapEffects(found, name)
  if (found === undefined || effects.length === 0) return null
  return (
    <span class="gap-effects">
      {effects.slice(0, 3).map(({ choice, requests, ids }) => (
        <span key={choice}>
          <code>{choice}</code>: <b>{requests}</b> of {found.exchanges} would differ:{' '}
          <span class="proof">
            {ids.map((id) => (
              <a key={id} href={linkTo('requests', [id])} aria-label={`Request ${id}`}>
                #{id}
              </a>
            ))}
          </span>
          {requests > ids.length ? '…' : ''}
        </span>
      ))}
    </span>
  )
}
