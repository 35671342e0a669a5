import { readableBody } from '../model/entry-text.ts'

/** A JSON token: a key, another string, a number or a keyword. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** A body: JSON indented and coloured by token type; other text unchanged. */
export function BodyText({ body }: { readonly body: string }) {
  const text = readableBody(body)
  const isJson = text !== body || /^[\d"[{]/.test(text)
  const parts = []
  let end = 0
  for (const { index, 0: whole, 1: string, 2: colon } of isJson ? text.matchAll(token) : []) {
    const kind =
      colon !== undefined ? 'json-key' : string === undefined ? 'json-value' : 'json-text'
    parts.push(text.slice(end, index), <span class={kind}>{whole}</span>)
    end = index + whole.length
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll
    <pre tabIndex={0}>
      {parts}
      {text.slice(end)}
    </pre>
  )
}
