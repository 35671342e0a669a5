import { useEffect, useId, useState } from 'preact/hooks'
import { choicesText, type GapName, gaps } from '../../contract/gaps.ts'
import { gapDescriptions } from '../../contract/openapi/gap-descriptions.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import type { GapEffect } from '../model/situations/gap-effects.ts'
import { defaultChoice, gapSettingsOf, listedChoices } from '../model/situations/gap-texts.ts'
import { Badge } from '../parts/badge.tsx'
import { ClauseLink } from '../parts/clause-link.tsx'
import { Button } from '../parts/controls/button.tsx'
import { ChoiceInput } from '../parts/controls/choice-input.tsx'

interface GapRowProps {
  readonly name: GapName
  /** The choice in force. */
  readonly chosen: string
  /** What it means for the requests so far; `undefined` until somebody asks. */
  readonly effect: GapEffect | undefined
}

/** What the interface leaves open at one place, and the choice there, to be changed. */
export function GapRow({ name, chosen, effect }: GapRowProps) {
  const { file } = useConsole()
  const { run, isBusy } = useAction()
  const [text, setText] = useState(chosen)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const id = useId()
  // Somebody else may have chosen.
  useEffect(() => setText(chosen), [chosen])
  const isListed = listedChoices(name).length > 0
  const usual = defaultChoice(name)
  const choose = async (wanted: string): Promise<void> => {
    try {
      const settings = gapSettingsOf({ [name]: wanted })
      setProblem(undefined)
      if (!(await run((client) => client.setGaps(settings), `${name}=${wanted}`))) setText(chosen)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <li class="gap">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void choose(text.trim())
        }}
      >
        {file === undefined ? <label for={id}>{name}</label> : <b class="gap-name">{name}</b>}{' '}
        <ClauseLink clause={gaps[name].spec} />
        <p class="hint" id={`${id}-said`}>
          {gapDescriptions[name].about}
          {isListed ? '' : ` Choices: ${choicesText(gaps[name])}.`}
        </p>
        {file !== undefined ? (
          <p>{chosen === usual ? `${chosen} (default)` : <b>{chosen}</b>}</p>
        ) : (
          <div class="actions">
            <ChoiceInput
              gap={name}
              value={text}
              onChange={(next) => {
                setText(next)
                if (isListed) void choose(next)
              }}
              input={{
                id,
                'aria-describedby': problem === undefined ? `${id}-said` : `${id}-problem`,
                'aria-invalid': problem === undefined ? undefined : true,
              }}
            />
            {isListed || text === chosen ? null : (
              <Button type="submit" disabled={isBusy} label={`Set ${name}`}>
                Set
              </Button>
            )}
            {chosen === usual ? null : (
              <Button
                kind="quiet"
                label={`Put ${name} back to ${usual}`}
                onClick={() => void choose(usual)}
              >
                ↺ {usual}
              </Button>
            )}
          </div>
        )}
        {problem === undefined ? null : (
          <p class="field-error" id={`${id}-problem`}>
            {problem}
          </p>
        )}
        {effect === undefined ? null : (
          <p>
            <Badge tone={effect.kind === 'matters' ? 'warning' : 'neutral'} text={effect.text} />
          </p>
        )}
      </form>
    </li>
  )
}
