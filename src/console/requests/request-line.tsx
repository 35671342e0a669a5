import { visible } from '../model/entry-text.ts'

interface RequestLineProps {
  readonly method: string
  readonly target: string
}

/** Method, path and query in three font weights. */
export function RequestLine({ method, target }: RequestLineProps) {
  const [path = '', query] = visible(target).split(/(\?.*)/s)
  return (
    <code class="request-line">
      <b>{method}</b> {path}
      {query === undefined ? null : <span class="query">{query}</span>}
    </code>
  )
}
