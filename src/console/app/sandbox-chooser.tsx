import { useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'

/** Which sandbox of the process is shown, and how to go to another one. */
export interface ChooserProps {
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  readonly choose: (name: string | undefined) => void
  readonly list: () => Promise<readonly string[]>
}

/** Chooses one of the sandboxes of the process; they are asked for when somebody is about to choose. */
export function SandboxChooser({ sandbox, choose, list }: ChooserProps) {
  const { notices } = useConsole()
  const [names, setNames] = useState<readonly string[]>([])
  const load = async (): Promise<void> => {
    try {
      setNames(await list())
    } catch (error) {
      notices.add('error', error instanceof Error ? error.message : String(error))
    }
  }
  const known = sandbox === undefined || names.includes(sandbox) ? names : [sandbox, ...names]
  return (
    <select
      aria-label="Sandbox"
      value={sandbox ?? ''}
      onFocus={() => void load()}
      onPointerEnter={() => void load()}
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
