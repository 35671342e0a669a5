import { useId, useState } from 'preact/hooks'
import { type GapName, gapDescriptions, gaps, valuesText } from '../../mock/api/gaps.ts'
import type { WhatIf } from '../../sandbox/controls/reports.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Sign } from '../parts/sign.tsx'
import { defaultChoice, gapEffects, gapSettingsOf, listedChoices } from './gap-texts.ts'

interface GapRowProps {
  readonly name: GapName
  readonly chosen: string
  readonly found: WhatIf | undefined
  /** Whether the gap is about behavior that the spec doesn't promise. */
  readonly isBeyond: boolean
}

/** A gap in a row: its name, its description, its value, and the requests that another value would have changed. */
export function GapRow({ name, chosen, found, isBeyond }: GapRowProps) {
  const { file } = useConsole()
  const run = useAction()
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
    <li class={`gap ${chosen === standard ? '' : 'current'}`}>
      <span class="row">
        {file === undefined ? <label for={id}>{name}</label> : name}
        {isBeyond ? <span class="tag">not promised</span> : null}
      </span>
      <span class="hint" id={`${id}-about`}>
        {gapDescriptions[name].summary}
        {choices.length > 0 ? '' : ` Values: ${valuesText(gaps[name])}.`}
        <Effects name={name} found={found} />
      </span>
      {file !== undefined ? (
        <b>{chosen}</b>
      ) : (
        <form
          // Another user may have changed the value.
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
              <Sign name="close" />
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

/** Number of requests that would have had another response, with links to the first of them. */
function Effects({ name, found }: Pick<GapRowProps, 'name' | 'found'>) {
  const effects = gapEffects(found, name)
  if (found === undefined || effects.length === 0) return null
  return (
    <span class="gap-effects">
      {effects.slice(0, 3).map(({ value, count, ids }) => (
        <span key={value}>
          <code>{value}</code>: <b>{count}</b> of {found.requests} differ:{' '}
          <span class="request-links">
            {ids.map((id) => (
              <a key={id} href={linkTo('requests', [id])} aria-label={`Request ${id}`}>
                #{id}
              </a>
            ))}
          </span>
          {count > ids.length ? '…' : ''}
        </span>
      ))}
    </span>
  )
}
