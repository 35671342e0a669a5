import { useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { ClockControls } from './clock-controls.tsx'
import { type ChooserProps, SandboxChooser } from './sandbox-chooser.tsx'

/** What holds for the whole sandbox: which one, its clock, its limits. */
export function TopBar({ chooser }: { readonly chooser: ChooserProps }) {
  const [isAsking, setAsking] = useState(false)
  const { run } = useAction()
  const { file } = useConsole()
  if (file !== undefined) return <FileBar file={file} />
  return (
    <div class="top-bar">
      <Brand />
      <SandboxChooser {...chooser} />
      <ClockControls />
      <LimitsChoice />
      <Button onClick={() => setAsking(true)}>Reset…</Button>
      {isAsking ? (
        <Confirm
          title="Reset the sandbox"
          text="Pets, keys, quotas, clock, faults, gaps and the journal go back to the seed. This can't be taken back."
          verb="Reset"
          onConfirm={() => void run((client) => client.reset(), 'The sandbox is reset')}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** What holds for a file: its name, and the time at its end. */
function FileBar({ file }: { readonly file: string }) {
  const { store } = useConsole()
  return (
    <div class="top-bar">
      <Brand />
      <p>
        <b>{file}</b> <span class="hint">a file, read-only</span>
      </p>
      {store.entries.value.length === 0 ? null : <SandboxClock />}
    </div>
  )
}

function Brand() {
  return (
    <p class="brand">
      petstore-<b>sandbox</b>
    </p>
  )
}

const modes = ['enforced', 'reported'] as const

/** Whether limits refuse requests, or are only shown. */
function LimitsChoice() {
  const { store } = useConsole()
  const { run } = useAction()
  const mode = store.status.value?.rateLimit ?? 'enforced'
  return (
    <label class="bar-field">
      Limits
      <select
        value={mode}
        onChange={({ currentTarget: { value } }) => {
          const next = modes.find((one) => one === value)
          if (next !== undefined) void run((client) => client.setRateLimit(next))
        }}
      >
        {modes.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}
