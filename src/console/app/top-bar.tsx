import { useState } from 'preact/hooks'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { linkTo, type ScreenName } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { isWaiting } from '../situations/fault-texts.ts'
import { ClockMenu } from './clock-menu.tsx'

/** Which sandbox of the process is shown, and how to go to another one. */
export interface ChooserProps {
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  readonly choose: (name: string | undefined) => void
  readonly list: () => Promise<readonly string[]>
}

/** What holds for the whole sandbox: which one, its clock, what is not as usual, its limits. */
export function TopBar({ chooser }: { readonly chooser: ChooserProps }) {
  const [isAsking, setAsking] = useState(false)
  const { run } = useAction()
  const { file } = useConsole()
  if (file !== undefined) return <FileBar file={file} />
  return (
    <div class="bar top-bar">
      <Brand />
      <SandboxChooser {...chooser} />
      <ClockMenu />
      <Unusual />
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

/** Chooses one of the sandboxes of the process; they are asked for when somebody is about to choose. */
function SandboxChooser({ sandbox, choose, list }: ChooserProps) {
  const { run } = useAction()
  const [names, setNames] = useState<readonly string[]>([])
  const load = (): void => void run(async () => setNames(await list()))
  const known = sandbox === undefined || names.includes(sandbox) ? names : [sandbox, ...names]
  return (
    <select
      aria-label="Sandbox"
      value={sandbox ?? ''}
      onFocus={load}
      onPointerEnter={load}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
    >
      <option value="">default</option>
      {known.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** What holds for a file: its name, and the time at its end. */
function FileBar({ file }: { readonly file: string }) {
  const { store } = useConsole()
  return (
    <div class="bar top-bar">
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

/** What is not as it usually is, with a link to where it can be changed. */
function Unusual() {
  const { store } = useConsole()
  const { rateLimit, gaps = [] } = store.status.value ?? {}
  const faults = store.faults.value.filter(isWaiting).length
  const fact = (isSo: boolean, screen: ScreenName, text: string) =>
    isSo ? (
      <li>
        <a class="chip" href={linkTo(screen)}>
          {text}
        </a>
      </li>
    ) : null
  return (
    <ul class="group unusual" aria-label="Not as usual">
      {fact(faults > 0, 'situations', countText(faults, 'fault'))}
      {fact(rateLimit === 'reported', 'keys', 'limits reported')}
      {fact(gaps.length > 0, 'situations', `${countText(gaps.length, 'gap')} changed`)}
    </ul>
  )
}

/** Whether limits refuse requests, or are only shown. */
function LimitsChoice() {
  const { store } = useConsole()
  const { run } = useAction()
  return (
    <label class="group hint">
      Limits
      <select
        value={store.status.value?.rateLimit}
        onChange={({ currentTarget: { value } }) => {
          const mode = value === 'reported' ? 'reported' : 'enforced'
          void run((client) => client.setRateLimit(mode))
        }}
      >
        <option>enforced</option>
        <option>reported</option>
      </select>
    </label>
  )
}
