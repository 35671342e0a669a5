import { useState } from 'preact/hooks'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { type GapName, gapDescriptions, gapNames, gaps, valuesText } from '../../mock/api/gaps.ts'
import type { ReplayedResponse, WhatIfResult } from '../../sandbox/controls/reports.ts'
import { useConsole } from '../live/console-context.ts'
import { useResponse } from '../live/use-client.ts'
import { readableBody, requestText } from '../model/entry-text.ts'
import { DataForm, Select, TextInput } from '../parts/data-form.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DiffView } from '../parts/diff-view.tsx'
import {
  changingValues,
  defaultChoice,
  gapSettingsOf,
  listedChoices,
  otherChoice,
} from '../spec/gap-texts.ts'

interface WhatIfDialogProps {
  readonly entry: RequestView
  readonly onClose: () => void
}

/** Dialog that replays one request with another gap value, and compares the responses. */
export function WhatIfDialog({ entry, onClose }: WhatIfDialogProps) {
  const { store } = useConsole()
  const { result: effects, problem } = useResponse(
    (client) => client.whatIf({ request: entry.id }),
    [],
  )
  const changing = changingValues(effects)
  const decided = gapNames.find((name) => name === entry.decision?.gap)
  const names = gapsInOrder(entry, decided, changing)
  // Kept from the first input on: effects that arrive later must not change what the user has chosen.
  const [chosen, choose] = useState<{ gap: GapName; value: string } | undefined>(undefined)
  const gap = chosen?.gap ?? names[0] ?? 'retryAfterFormat'
  const nowOf = (name: GapName): string => String(store.gaps.peek()?.[name] ?? defaultChoice(name))
  const preset = (name: GapName): string =>
    changing.get(name)?.[0] ?? otherChoice(name, nowOf(name))
  const [result, setResult] = useState<
    { set: string; found: WhatIfResult | undefined } | undefined
  >(undefined)
  const choice = {
    // Each gap has its own field, so that a validation error is shown there.
    key: gap,
    name: gap,
    label: 'Value',
    value: chosen?.value ?? preset(gap),
    hint: `Now ${nowOf(gap)}. Values: ${valuesText(gaps[gap])}`,
  }
  const choices = listedChoices(gap).map(
    (one) => [one, one === defaultChoice(gap) ? `${one} (default)` : one] as const,
  )
  return (
    <Dialog title="What if" width="wide" onClose={onClose}>
      <p>
        <code>{requestText(entry)}</code> once more, in a copy of the sandbox with another value at
        a gap of the spec. Nothing changes here.
      </p>
      <DataForm
        label="What if"
        verb="Replay it"
        send={async (client, typed) => {
          setResult(undefined)
          const value = (typed[gap] ?? '').trim()
          const { results } = await client.whatIf({
            gaps: gapSettingsOf({ [gap]: value }),
            request: entry.id,
            responses: true,
          })
          setResult({ set: `${gap}=${value}`, found: results[0] })
        }}
      >
        <div class="columns" onInput={() => choose(chosen ?? { gap, value: preset(gap) })}>
          <Select
            name="gap"
            label="Gap"
            hint={gapDescriptions[gap].summary}
            options={names.map((name) => [name, gapText(name, decided, changing)])}
            value={gap}
            onChange={(value) => {
              const name = names.find((one) => one === value)
              choose(name && { gap: name, value: preset(name) })
            }}
          />
          {choices.length === 0 ? (
            <TextInput {...choice} required />
          ) : (
            <Select {...choice} options={choices} />
          )}
        </div>
        <p class="hint" role="status">
          {effects === undefined
            ? (problem ?? 'Looking for the gaps that change this response …')
            : changing.size === 0
              ? 'No value of a gap changes this response.'
              : `${countText(changing.size, 'gap')} can change this response; the list starts with them.`}
        </p>
      </DataForm>
      <div aria-live="polite">
        {result === undefined ? null : result.found?.responses !== undefined ? (
          <DiffView
            before={textOf(result.found.responses.actual)}
            after={textOf(result.found.responses.alternative)}
            names={['as it was', `with ${result.set}`]}
          />
        ) : (
          <p>The response would have been the same with {result.set}.</p>
        )}
      </div>
    </Dialog>
  )
}

const outcomeWords = {
  response: 'status',
  'broken-response': 'broken off, status',
  disconnect: 'cut off',
  timeout: 'no response',
} as const

/** Formats a response as lines. */
function textOf({ kind, status, headers = {}, body = '' }: ReplayedResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `${outcomeWords[kind]} ${status ?? ''}`.trim(),
    ...lines.sort(),
    '',
    readableBody(body),
  ].join('\n')
}

/** Returns all gaps: the one that decided the response first, then those that change it, then those of its operation. */
function gapsInOrder(
  { operation }: RequestView,
  decided: GapName | undefined,
  changing: ReadonlyMap<GapName, unknown>,
): readonly GapName[] {
  const rankOf = (name: GapName): number => {
    const { operations } = gapDescriptions[name]
    if (name === decided) return 0
    if (changing.has(name)) return 1
    return operations?.some((one) => one === operation) ? 2 : 3
  }
  return gapNames.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function gapText(
  name: GapName,
  decided: GapName | undefined,
  changing: ReadonlyMap<GapName, unknown>,
): string {
  if (name === decided) return `${name} (decided this response)`
  return changing.has(name) ? `${name} (changes this response)` : name
}
