import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { choicesText, type GapName, gapNames, gaps } from '../../contract/gaps.ts'
import { gapDescriptions } from '../../contract/openapi/gap-descriptions.ts'
import type { WhatIf } from '../../control/reports.ts'
import { useConsole } from '../live/console-context.ts'
import {
  compareReplies,
  kindOfPair,
  type LinePair,
  type PairKind,
  type ShownPair,
  shortened,
} from '../model/compare-replies.ts'
import { requestText } from '../model/entry-text.ts'
import { Button } from '../parts/controls/button.tsx'
import { ChoiceInput } from '../parts/controls/choice-input.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Field, Form } from '../parts/controls/field.tsx'
import { defaultChoice, gapSettingsOf, otherChoice } from '../situations/gap-texts.ts'

interface WhatIfDialogProps {
  readonly entry: JournalEntry
  readonly onClose: () => void
}

/** What was asked, and the answer. */
interface Answer {
  readonly gap: GapName
  readonly choice: string
  readonly found: WhatIf
}

/** Asks one request again, under another choice at a gap, and shows both replies side by side. */
export function WhatIfDialog({ entry, onClose }: WhatIfDialogProps) {
  const { client, store } = useConsole()
  const names = gapsFirst(entry)
  const [gap, setGap] = useState<GapName>(names[0])
  const chosen = (name: GapName): string => String(store.gaps.peek()?.[name] ?? defaultChoice(name))
  const [choice, setChoice] = useState(() => otherChoice(gap, chosen(gap)))
  const [answer, setAnswer] = useState<Answer | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const ask = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const found = await client.whatIf(entry.id, gapSettingsOf({ [gap]: choice.trim() }))
      setAnswer({ gap, choice, found })
    } catch (error) {
      setAnswer(undefined)
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title="What if" width="wide" onClose={onClose}>
      <p>
        <code>{requestText(entry)}</code> once more, in a copy of the sandbox that made another
        choice where the interface leaves one. Nothing changes here.
      </p>
      <Form label="What if" onSubmit={() => void ask()}>
        <div class="columns">
          <Field label="Gap" hint={gapDescriptions[gap].about}>
            {(input) => (
              <select
                {...input}
                value={gap}
                onChange={({ currentTarget: { value } }) => {
                  const next = names.find((name) => name === value) ?? gap
                  setGap(next)
                  setChoice(otherChoice(next, chosen(next)))
                }}
              >
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name === entry.decision.gap ? `${name} (decided this reply)` : name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label="Choice"
            hint={`Now ${chosen(gap)}. Choices: ${choicesText(gaps[gap])}`}
            error={problem}
          >
            {(input) => <ChoiceInput gap={gap} value={choice} onChange={setChoice} input={input} />}
          </Field>
        </div>
        <div class="group">
          <Button kind="primary" type="submit" disabled={isBusy}>
            Ask again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Form>
      <div aria-live="polite">{answer === undefined ? null : <Difference {...answer} />}</div>
    </Dialog>
  )
}

function Difference({ gap, choice, found }: Answer) {
  const { before, instead } = found
  const set = `${gap}=${choice}`
  if (!found.differs) {
    return <p>The reply would have been the same with {set}.</p>
  }
  const { pairs, bodies } = compareReplies(before, instead)
  const count = pairs.filter((pair) => kindOfPair(pair) !== 'same').length
  return (
    <>
      <p>
        {bodies === undefined
          ? `${count === 1 ? '1 line differs' : `${count} lines differ`} with ${set}.`
          : `Another reply with ${set}.`}
      </p>
      <Comparison pairs={pairs} />
      {bodies === undefined ? null : (
        <div class="columns">
          <figure>
            <figcaption>Body as it was</figcaption>
            <pre>{bodies.before || 'none'}</pre>
          </figure>
          <figure>
            <figcaption>Body instead</figcaption>
            <pre>{bodies.instead || 'none'}</pre>
          </figure>
        </div>
      )}
    </>
  )
}

/** What is said of a pair: a shape and a word, so that colour is never alone. */
const marks: Readonly<Record<PairKind, readonly [shape: string, word: string]>> = {
  same: ['', ''],
  differs: ['≠', 'differs'],
  'only-before': ['−', 'gone'],
  'only-instead': ['+', 'new'],
}

/** Two replies side by side, line by line, with what differs marked; what is the same is cut short. */
function Comparison({ pairs }: { readonly pairs: readonly LinePair[] }) {
  return (
    <table class="comparison mono">
      <caption class="unseen">The reply as it was, and as it would have been</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Difference</span>
          </th>
          <th scope="col">As it was</th>
          <th scope="col">Instead</th>
        </tr>
      </thead>
      <tbody>{shortened(pairs).map(rowOf)}</tbody>
    </table>
  )
}

function rowOf(pair: ShownPair, at: number): ComponentChildren {
  if ('left' in pair) {
    return (
      <tr key={at} class="hint">
        <td colSpan={3}>⋯ {pair.left === 1 ? '1 line is' : `${pair.left} lines are`} the same</td>
      </tr>
    )
  }
  const kind = kindOfPair(pair)
  const [shape, word] = marks[kind]
  return (
    <tr key={at} class={kind}>
      <td class="mark">
        <span aria-hidden="true">{shape}</span> {word}
      </td>
      <td>{kind === 'differs' ? <del>{pair.before}</del> : pair.before}</td>
      <td>{kind === 'differs' ? <ins>{pair.instead}</ins> : pair.instead}</td>
    </tr>
  )
}

/** All gaps, the one that decided the reply first, then those of the operation. */
function gapsFirst({ decision, operation }: JournalEntry): readonly [GapName, ...GapName[]] {
  // A newer process may have gaps that this page doesn't know.
  const first = gapNames.find((name) => name === decision.gap) ?? 'retryAfterFormat'
  const others = gapNames.filter((name) => name !== first)
  const isOfOperation = (name: GapName): boolean => {
    const { operations } = gapDescriptions[name]
    return operations !== 'all' && operations.some((one) => one === operation)
  }
  return [first, ...others.filter(isOfOperation), ...others.filter((name) => !isOfOperation(name))]
}
