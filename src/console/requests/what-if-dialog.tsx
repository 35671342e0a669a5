import { countText, requestText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { useConsole } from '../live/console-context.ts'
import { useResponse } from '../live/use-client.ts'
import { responseLines } from '../model/compared-lines.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DiffView } from '../parts/diff-view.tsx'
import { Problem } from '../parts/display.tsx'
import { changeText, effectsIn } from '../spec/gap-texts.ts'

interface WhatIfDialogProps {
  readonly entry: RequestView
  readonly onClose: () => void
}

/** Dialog with the gap values that change the response to a request, and both responses. */
export function WhatIfDialog({ entry, onClose }: WhatIfDialogProps) {
  const decided = entry.decision?.gap
  const { store } = useConsole()
  const { result, problem } = useResponse(
    (client) => client.whatIf({ request: entry.id, responses: true }),
    [],
  )
  const effects = effectsIn(result).toSorted(
    (one, other) => Number(other.name === decided) - Number(one.name === decided),
  )
  return (
    <Dialog title="What if" width="wide" onClose={onClose}>
      <p>
        <code>{requestText(entry.request)}</code> once more, in a copy of the sandbox with each
        other value of each gap of the spec. Nothing changes here.
      </p>
      <p class="hint" role="status">
        {result === undefined
          ? (problem ?? 'Trying all values …')
          : effects.length === 0
            ? 'No value of a gap changes this response.'
            : `${countText(effects.length, 'value')} would change this response.`}
      </p>
      <Problem text={result === undefined ? problem : undefined} />
      <div class="list effects">
        {effects.map(({ name, value, responses }) => (
          <details key={`${name} ${value}`} name="effect">
            <summary class="bar">
              <code class="grow">
                {name}={value}
              </code>
              <span class="hint">now {String(store.gaps.value?.[name])}</span>
              <span>{responses && changeText(responses.actual, responses.alternative)}</span>
            </summary>
            {responses === undefined ? null : (
              <DiffView
                before={responseLines(responses.actual).join('\n')}
                after={responseLines(responses.alternative).join('\n')}
                names={['as it was', `with ${name}=${value}`]}
              />
            )}
          </details>
        ))}
      </div>
    </Dialog>
  )
}
