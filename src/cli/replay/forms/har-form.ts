import { type HarExchange, toHar } from '../../../control/har.ts'
import type { ReadCapture } from '../../../control/reports/capture-file.ts'
import { formatInstant } from '../../../input/instant.ts'
import { definedOf } from '../../../input/record.ts'
import { defaultUrl } from '../../remote/remote-options.ts'

type RequestStep = Extract<ReadCapture['steps'][number], { do: 'request' }>

/** Writes a capture as an HTTP archive, as if it had been sent to a process on this machine. */
export function harForm({ steps }: ReadCapture): string {
  const entries = steps
    .filter((step) => step.do === 'request')
    .map((step, index) => exchangeOf(step, index + 1))
  return JSON.stringify(
    toHar(entries, () => defaultUrl),
    undefined,
    2,
  )
}

function exchangeOf({ at, request, outcome }: RequestStep, number: number): HarExchange {
  const { method, url, headers, body, bodyBytes } = request
  return {
    at: formatInstant(at),
    durationMs: 0,
    request: { method, url, headers, body, ...definedOf({ bodyBytes }) },
    outcome: harOutcome(outcome),
    why: `Request ${number} of a capture`,
  }
}

function harOutcome({
  kind,
  status,
  headers = {},
  body = '',
}: RequestStep['outcome']): HarExchange['outcome'] {
  if (kind === 'disconnect' || kind === 'timeout' || status === undefined) {
    return { kind: kind === 'timeout' ? 'timeout' : 'disconnect' }
  }
  return { kind, status, headers, body }
}
