import { readableBody } from '../model/entry-text.ts'

/** A token of JSON: a key, another string, or a number or word. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** A body: JSON laid out, with keys, strings and numbers told apart; anything else as it is. */
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
