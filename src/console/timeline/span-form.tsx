import { useEffect, useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { timeOfDay } from '../model/entry-text.ts'
import type { Span } from '../model/timeline/lanes.ts'
import { readInstant } from '../model/timeline/read-instant.ts'
import { Button } from '../parts/controls/button.tsx'
import { Field, Form } from '../parts/controls/field.tsx'

interface SpanFormProps {
  readonly selected: Span | undefined
  /** The whole axis: what is left empty is its end. */
  readonly axis: Span
  readonly onSelect: (span: Span) => void
}

const wrong = 'Cannot read it: use 14:03:07, or 2026-11-21T14:03:07Z'

/** Selects a span of time without a pointer. */
export function SpanForm({ selected, axis, onSelect }: SpanFormProps) {
  const fromText = shortText(selected?.from, axis)
  const toText = shortText(selected?.to, axis)
  const [from, setFrom] = useState(fromText)
  const [to, setTo] = useState(toText)
  const [error, setError] = useState<'from' | 'to' | undefined>(undefined)
  useEffect(() => {
    setFrom(fromText)
    setTo(toText)
    setError(undefined)
  }, [fromText, toText])
  const submit = (): void => {
    const fromAt = from === '' ? axis.from : readInstant(from, axis.from)
    const toAt = to === '' ? axis.to : readInstant(to, axis.from)
    setError(fromAt === undefined ? 'from' : toAt === undefined ? 'to' : undefined)
    if (fromAt === undefined || toAt === undefined) return
    onSelect({ from: Math.min(fromAt, toAt), to: Math.max(fromAt, toAt) })
  }
  return (
    <Form label="Span of time" onSubmit={submit}>
      <Field label="From" error={error === 'from' ? wrong : undefined}>
        {(input) => (
          <input
            {...input}
            value={from}
            placeholder={timeOfDay(formatInstant(axis.from))}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="To" error={error === 'to' ? wrong : undefined}>
        {(input) => (
          <input
            {...input}
            value={to}
            placeholder={timeOfDay(formatInstant(axis.to))}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit">Select</Button>
    </Form>
  )
}

/** An instant of the axis' first day as a time alone. */
function shortText(at: number | undefined, axis: Span): string {
  if (at === undefined) return ''
  const text = formatInstant(at)
  return text.slice(0, 10) === formatInstant(axis.from).slice(0, 10) ? timeOfDay(text) : text
}
