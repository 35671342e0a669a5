import type { VNode } from 'preact'
import { readableBody } from '../../../console/model/entry-text.ts'
import type { JournalEntry } from '../../../state/journal-entry.ts'

/** How much of a body is shown. */
const mostShown = 4_000

/** What there is to know of an exchange. */
export function RequestDetails({ entry }: { readonly entry: JournalEntry }): VNode {
  const { request, outcome, quota, decision, key, durationMs, faults } = entry
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Key', key ?? 'none'],
    ['Clause', decision.clause],
    ['Gap', decision.gap],
    ['Served from', decision.retryAt],
    ['Left', `${quota.remaining} of ${quota.limit} a ${quota.window}`],
    ['Took', durationMs === 0 ? undefined : `${durationMs} ms`],
    ['Faults', faults.length === 0 ? undefined : faults.join(', ')],
  ]
  return (
    <div class="message">
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <Message name="Request" headers={request.headers} body={request.body} />
      {'status' in outcome && (
        <Message name="Reply" headers={outcome.headers} body={outcome.body} />
      )}
    </div>
  )
}

interface MessageProps {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function Message({ name, headers, body }: MessageProps): VNode {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\n`)
  const whole = readableBody(body)
  const shown = whole.length > mostShown ? `${whole.slice(0, mostShown)}…` : whole
  return (
    <>
      <h3>{name}</h3>
      <pre>
        <span class="quiet">{lines.join('')}</span>
        {shown === '' ? null : `\n${shown}`}
      </pre>
    </>
  )
}
