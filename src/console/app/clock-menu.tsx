import { useConsole } from '../live/console-context.ts'
import { later } from '../parts/later.tsx'
import { Popover } from '../parts/popover.tsx'
import { Sign } from '../parts/sign.tsx'
import { SandboxClock } from '../parts/time.tsx'

const ClockControls = later(async () => (await import('./clock-controls.tsx')).ClockControls)

/** The sandbox's clock: a button that shows the time and opens the clock controls. */
export function ClockMenu() {
  const clock = useConsole().store.status.value?.clock
  return (
    <Popover
      disabled={clock === undefined}
      kind="quiet"
      text={
        <>
          <Sign name={clock?.mode === 'frozen' ? 'frozen' : 'clock'} />
          <span class="unseen">{clock?.mode === 'frozen' ? 'Clock, frozen at' : 'Clock'} </span>
          <SandboxClock />
        </>
      }
    >
      {() => <ClockControls />}
    </Popover>
  )
}
