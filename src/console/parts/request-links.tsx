import { linkTo } from '../model/route.ts'

/** Maximum number of links to requests. */
const maxLinks = 12

/** Links to requests, up to a maximum. */
export function RequestLinks({ ids }: { readonly ids: readonly number[] }) {
  const more = ids.length - maxLinks
  return (
    <span class="request-links">
      {ids.slice(0, maxLinks).map((id) => (
        <a key={id} href={linkTo('requests', [id])} aria-label={`Request ${id}`}>
          #{id}
        </a>
      ))}
      {more > 0 ? <span class="hint"> and {more} more </span> : null}
    </span>
  )
}
