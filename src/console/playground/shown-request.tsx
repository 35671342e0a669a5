import type { ComponentChildren } from 'preact'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { outcomeText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Pill } from '../parts/display.tsx'
import { Message, Summary } from '../requests/request-details.tsx'
import { RequestLine } from '../requests/request-line.tsx'

interface ShownRequestProps {
  readonly entry: RequestView
  readonly children?: ComponentChildren
}

/** A request with the reason for its response; the line links to its details in the console. */
export function ShownRequest({ entry, children }: ShownRequestProps) {
  const { request, outcome } = entry
  return (
    <section class="box sent stack" aria-label="Response">
      <p class="row" role="status">
        <Pill {...outcomeText(entry)} />
        <a href={linkTo('requests', [entry.id])}>
          <RequestLine method={request.method} target={request.url} />
        </a>
      </p>
      <Summary entry={entry} />
      {request.body === '' ? null : <Message title="Request" {...request} />}
      {'body' in outcome ? <Message title="Response" {...outcome} /> : null}
      {children}
    </section>
  )
}
