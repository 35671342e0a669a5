import { requestText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { readableBody, reasonOf, visible } from './entry-text.ts'

/** Parts of a response as the log, a capture and a replay have them. */
interface AnyResponse {
  readonly kind: string
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

const outcomeWords: Readonly<Record<string, string>> = {
  response: 'status',
  'broken-response': 'broken off, status',
  disconnect: 'cut off',
  timeout: 'no response',
}

/** Formats a response as lines, to compare it with another one. */
export function responseLines({ kind, status, headers = {}, body = '' }: AnyResponse): string[] {
  return [
    `${outcomeWords[kind] ?? kind} ${status ?? ''}`.trim(),
    ...headerLines(headers),
    '',
    ...readableBody(body).split('\n'),
  ]
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .map(([name, value]) => visible(`${name}: ${value}`))
    .sort()
}

/** Formats a request and its response as lines, to compare them with another one's. */
export function entryLines(entry: RequestView, key: string): readonly string[] {
  const { headers, body } = entry.request
  return [
    visible(requestText(entry.request)),
    ...headerLines(headers),
    ...(body === '' ? [] : ['', ...readableBody(body).split('\n')]),
    '',
    ...responseLines(entry.outcome),
    '',
    `why: ${reasonOf(entry, key).text}`,
  ]
}
