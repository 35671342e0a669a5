import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { choicesText, type GapName, gapDescriptions, gapNames, gaps } from '../../contract/gaps.ts'
import type { WhatIf } from '../../control/reports.ts'
import { useConsole } from '../live/console-context.ts'
import { requestText } from '../model/entry-text.ts'
import { DataForm, Select, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import {
  defaultChoice,
  gapSettingsOf,
  listedChoices,
  otherChoice,
} from '../situations/gap-texts.ts'
import { compareReplies, kindOfPair, type LinePair, shortened } from './compare-replies.ts'

interface WhatIfDialogProps {
  readonly entry: JournalEntry
  readonly onClose: () => void
}

/** What was asked, and the answer. */
interface Answer {
  readonly set: string
  readonly found: WhatIf
}

/** Asks one request again, under another choice at a gap, and shows both replies side by side. */
export function WhatIfDialog({ entry, onClose }: WhatIfDialogProps) {
  const { store } = useConsole()
  const first = gapNames.find((name) => name === entry.decision?.gap) ?? 'retryAfterFormat'
  const names = gapsAfter(first, entry)
  const [gap, setGap] = useState<GapName>(first)
  const [answer, setAnswer] = useState<Answer | undefined>(undefined)
  const now = String(store.gaps.peek()?.[gap] ?? defaultChoice(gap))
  const choice = {
    // A gap has its own field, so that a refusal of its choice is said there.
    key: gap,
    name: gap,
    label: 'Choice',
    value: otherChoice(gap, now),
    hint: `Now ${now}. Choices: ${choicesText(gaps[gap])}`,
  }
  const choices = listedChoices(gap).map(
    (one) => [one, one === defaultChoice(gap) ? `${one} (default)` : one] as const,
  )
  return (
    <Dialog title="What if" width="wide" onClose={onClose}>
      <p>
        <code>{requestText(entry)}</code> once more, in a copy of the sandbox that made another
        choice where the interface leaves one. Nothing changes here.
      </p>
      <DataForm
        label="What if"
        verb="Ask again"
        send={async (client, typed) => {
          setAnswer(undefined)
          const chosen = (typed[gap] ?? '').trim()
          const found = await client.whatIf(entry.id, gapSettingsOf({ [gap]: chosen }))
          setAnswer({ set: `${gap}=${chosen}`, found })
        }}
      >
        <div class="columns">
          <Select
            name="gap"
            label="Gap"
            hint={gapDescriptions[gap].about}
            options={names.map((name) => [
              name,
              name === entry.decision?.gap ? `${name} (decided this reply)` : name,
            ])}
            value={gap}
            onChange={(value) => setGap(names.find((name) => name === value) ?? gap)}
          />
          {choices.length === 0 ? (
            <TextInput {...choice} required />
          ) : (
            <Select {...choice} options={choices} />
          )}
        </div>
      </DataForm>
      <div aria-live="polite">{answer === undefined ? null : <Difference {...answer} />}</div>
    </Dialog>
  )
}

function Difference({ set, found: { before, instead, differs } }: Answer) {
  if (!differs) return <p>The reply would have been the same with {set}.</p>
  const { pairs, bodies } = compareReplies(before, instead)
  const count = pairs.filter((pair) => kindOfPair(pair) !== 'same').length
  const lines = count === 1 ? '1 line differs' : `${count} lines differ`
  return (
    <div class="stack">
      <p>
        {bodies === undefined ? lines : 'Another reply'} with {set}.
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
    </div>
  )
}

/** What is said of a pair: a shape and a word, so that colour is never alone. */
const marks = {
  same: ['', ''],
  differs: ['≠', 'differs'],
  'only-before': ['−', 'gone'],
  'only-instead': ['+', 'new'],
} as const

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
      <tbody>
        {shortened(pairs).map((pair, at) => {
          if ('left' in pair) {
            const lines = pair.left === 1 ? '1 line is' : `${pair.left} lines are`
            return (
              <tr key={at} class="hint">
                <td colSpan={3}>⋯ {lines} the same</td>
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
        })}
      </tbody>
    </table>
  )
}

/** All gaps: the one that comes first, then those of the operation. */
function gapsAfter(first: GapName, { operation }: JournalEntry): readonly GapName[] {
  const rankOf = (name: GapName): number => {
    const { operations } = gapDescriptions[name]
    if (name === first) return 0
    return operations?.some((one) => one === operation) ? 1 : 2
  }
  return gapNames.toSorted((one, other) => rankOf(one) - rankOf(other))
}
