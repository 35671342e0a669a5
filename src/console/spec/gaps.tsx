import { useId, useState } from 'preact/hooks'
import { type GapName, gapDescriptions, gaps, valuesText } from '../../mock/api/gaps.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'
import { Sign } from '../parts/sign.tsx'
import { defaultChoice, gapSettingsOf, listedChoices } from './gap-texts.ts'

interface GapRowProps {
  readonly name: GapName
  readonly chosen: string
  /** Whether the gap is about behavior that the spec doesn't promise. */
  readonly isBeyond: boolean
}

/** A gap in a row: its name, its description and its value. */
export function GapRow({ name, chosen, isBeyond }: GapRowProps) {
  const isReadOnly = useConsole().run !== undefined
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
        {isReadOnly ? name : <label for={id}>{name}</label>}
        {isBeyond ? <span class="tag">not promised</span> : null}
      </span>
      <span class="hint" id={`${id}-about`}>
        {gapDescriptions[name].summary}
        {choices.length > 0 ? '' : ` Values: ${valuesText(gaps[name])}.`}
      </span>
      {isReadOnly ? (
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
