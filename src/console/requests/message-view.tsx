import { readableBody } from '../model/entry-text.ts'

interface MessageViewProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Its size, if the body is not as it was sent. */
  readonly bodyBytes?: number | undefined
}

/** The headers and the body of a request or a reply, as text. */
export function MessageView({ title, headers, body, bodyBytes }: MessageViewProps) {
  const names = Object.keys(headers)
  return (
    <section class="message">
      <h3>{title}</h3>
      {names.length === 0 ? null : (
        <dl class="headers">
          {names.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{headers[name]}</dd>
            </div>
          ))}
        </dl>
      )}
      {body === '' ? (
        <p class="hint">{bodyBytes === undefined ? 'No body' : `A body of ${bodyBytes} bytes`}</p>
      ) : (
        <pre>{readableBody(body)}</pre>
      )}
    </section>
  )
}
