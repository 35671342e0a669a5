import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/controls/button.tsx'
import type { KeptFile } from './kept-files.ts'

/** What stands for the sandbox as it is now. */
export const now = 'now'

interface CompareBarProps {
  readonly snapshots: readonly KeptFile[]
  readonly onCompare: (before: string, after: string) => void
}

/** Chooses two snapshots to compare, by their ids; one may be the sandbox as it is now. */
export function CompareBar({ snapshots, onCompare }: CompareBarProps) {
  const latest = String(snapshots.at(-1)?.id ?? now)
  const [before, setBefore] = useState(latest)
  const [after, setAfter] = useState<string>(now)
  useEffect(() => setBefore(latest), [latest])
  const names = [
    ...snapshots.map(({ id, name }) => [String(id), name] as const),
    [now, now] as const,
  ]
  const choice = (label: string, value: string, choose: (value: string) => void) => (
    <label class="bar-field">
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {names.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <div class="compare-bar">
      {choice('Compare', before, setBefore)}
      {choice('with', after, setAfter)}
      <Button onClick={() => onCompare(before, after)}>Show what differs</Button>
    </div>
  )
}
