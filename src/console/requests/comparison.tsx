import type { RequestView } from '../../client/connect-sandbox.ts'
import { useConsole } from '../live/console-context.ts'
import { useResponse } from '../live/use-client.ts'
import { entryLines } from '../model/compared-lines.ts'
import { DiffView } from '../parts/diff-view.tsx'
import { Sign } from '../parts/sign.tsx'
import { useFocusOnMount } from './use-focus-on-mount.ts'

interface ComparisonProps {
  readonly ids: readonly [before: number, after: number]
  readonly closeLink: string
}

/** The difference between two requests and their responses. */
export function Comparison({ ids, closeLink }: ComparisonProps) {
  const { store } = useConsole()
  const heading = useFocusOnMount()
  const { result, problem } = useResponse(
    async ({ requests }) => await Promise.all(ids.map((id) => requests.get(id))),
    [],
  )
  const textOf = (entry: RequestView | undefined): string =>
    entry === undefined ? '' : entryLines(entry, store.keyOf.value(entry)).join('\n')
  const [before, after] = ids
  return (
    <section class="box details" aria-label={`Request ${before} compared with ${after}`}>
      <header class="bar">
        <h2 ref={heading} class="grow" tabIndex={-1}>
          #{before} compared with #{after}
        </h2>
        <a class="button quiet" href={closeLink} aria-label="Close the comparison">
          <Sign name="close" />
        </a>
      </header>
      {result === undefined ? (
        <p>{problem ?? 'Loading …'}</p>
      ) : (
        <DiffView
          before={textOf(result[0])}
          after={textOf(result[1])}
          names={[`#${before}`, `#${after}`]}
        />
      )}
    </section>
  )
}
