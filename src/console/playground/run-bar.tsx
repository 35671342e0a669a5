import { useEffect, useLayoutEffect } from 'preact/hooks'
import { type ShownRun, useConsole } from '../live/console-context.ts'
import { linkTo, routeInAddress, useAddress } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Sign } from '../parts/sign.tsx'

/** Elements in which the arrow keys have another effect. */
const ownArrows = 'input, select, textarea, pre, [role="slider"], [role="menu"], dialog'

/** Steps through a run: the slider, the opened request and the state that is shown are one step. */
export function RunBar({ run }: { readonly run: ShownRun }) {
  const { go } = useConsole()
  const { steps, step, changes, moveTo, testUntil, takeOver, close } = run
  const route = useAddress(routeInAddress)
  const isInRequests = route.place === 'requests'
  const id = Number(route.path[0])
  const at = step === undefined ? -1 : steps.indexOf(step)
  // A request that the user opens is the step.
  useLayoutEffect(() => {
    if (isInRequests && steps.includes(id)) moveTo(id)
  }, [isInRequests, id])
  const moveBy = (count: number): void => {
    const next = steps[at + count]
    if (next === undefined || count === 0) return
    if (isInRequests && route.path.length > 0)
      go(linkTo('requests', [next], route.query), 'replace')
    else moveTo(next)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey } = event
      if (defaultPrevented || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest(ownArrows) !== null) return
      if (key === 'ArrowLeft') moveBy(-1)
      if (key === 'ArrowRight') moveBy(1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  const text = step === undefined ? 'No requests' : `Request ${at + 1} of ${steps.length}`
  return (
    <section class="row run-bar" aria-label="Run">
      {step === undefined ? null : (
        <span class="bar run-steps">
          <Button
            kind="quiet"
            label="Previous request"
            disabled={at === 0}
            onClick={() => moveBy(-1)}
          >
            <Sign name="previous" />
          </Button>
          <input
            class="slider"
            type="range"
            aria-label="Request"
            aria-valuetext={text}
            min={1}
            max={steps.length}
            value={at + 1}
            onInput={({ currentTarget }) => moveBy(currentTarget.valueAsNumber - 1 - at)}
          />
          <Button
            kind="quiet"
            label="Next request"
            disabled={at === steps.length - 1}
            onClick={() => moveBy(1)}
          >
            <Sign name="next" />
          </Button>
        </span>
      )}
      <h2>{text}</h2>
      <p class="group grow" role="status" aria-label="Changes by this request">
        {changes.map((change) => (
          <span key={change} class="tag">
            {change}
          </span>
        ))}
      </p>
      <span class="group end">
        {step === undefined ? null : (
          <CopyButton what="as a Vitest test" text={() => testUntil(step)} />
        )}
        {takeOver === undefined ? null : (
          <Button
            kind="primary"
            hint="Goes on from this state, with the form and all controls"
            onClick={takeOver}
          >
            Take over from here
          </Button>
        )}
        <Button onClick={close}>Close the run</Button>
      </span>
    </section>
  )
}
