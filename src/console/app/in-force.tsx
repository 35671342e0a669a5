import { countText } from '../../checks/reports/text.ts'
import type { ControlStep } from '../../mock/api/control-step.ts'
import { useConsole } from '../live/console-context.ts'
import { isWaiting, type LiveStore, systemNow } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo, type PlaceName } from '../model/route.ts'
import { Chip } from '../parts/filters.tsx'
import { shiftText } from '../parts/time.tsx'

/** A setting that differs from the default, and the control that undoes it. */
interface InForce {
  readonly name: string
  readonly text: string
  readonly place: PlaceName
  readonly undo: readonly ControlStep[]
  /** Label of its ✕ button. */
  readonly remove: string
}

/** Smallest clock shift from the system time that is shown, in milliseconds. */
const noticedMs = 60_000

/** Returns the settings that differ from the default, in the order of the bar. */
export function inForceIn(store: LiveStore): readonly InForce[] {
  const { rateLimits, gaps = [], clock } = store.status.value ?? {}
  const faults = store.faults.value.filter(isWaiting).length
  // Rounded: the way of the response takes a part of a second.
  const shift = Math.round((Date.parse(clock?.now ?? '') - systemNow()) / 1_000) * 1_000
  const list: InForce[] = []
  const isFrozen = clock?.mode === 'frozen'
  const isMoved = clock?.mode !== 'system' && Math.abs(shift) > noticedMs
  if (isFrozen || isMoved) {
    list.push({
      name: 'clock',
      text: [isFrozen ? 'clock frozen' : 'clock', isMoved ? shiftText(shift, 1) : '']
        .join(' ')
        .trim(),
      place: 'requests',
      undo: [{ control: 'clock.useSystemTime', args: [] }],
      remove: 'Follow the system time',
    })
  }
  for (const { name, title, of, inForce } of store.scenarios.value) {
    // Clock and faults have chips of their own.
    if (!inForce || of === 'requests' || name.startsWith('sunset-')) continue
    list.push({
      name,
      text: title.toLowerCase(),
      place: 'fail',
      undo: [{ control: 'stopScenario', args: [name] }],
      remove: `Stop: ${title}`,
    })
  }
  if (faults > 0) {
    list.push({
      name: 'faults',
      text: countText(faults, 'fault'),
      place: 'fail',
      undo: [{ control: 'faults.clear', args: [] }],
      remove: 'Remove all faults',
    })
  }
  if (gaps.length > 0) {
    const defaults = Object.fromEntries(gaps.map((one) => [one.gap, one.default]))
    list.push({
      name: 'gaps',
      text: `${countText(gaps.length, 'gap')} changed`,
      place: 'spec',
      undo: [{ control: 'setGaps', args: [defaults] }],
      remove: 'Set all gaps to their defaults',
    })
  }
  if (rateLimits === 'report-only') {
    list.push({
      name: 'limits',
      text: 'limits report-only',
      place: 'spec',
      undo: [{ control: 'setRateLimits', args: ['enforce'] }],
      remove: 'Enforce the limits',
    })
  }
  return list
}

/** Settings that differ from the default, each with ✕ to undo it. */
export function InForceChips() {
  const { store, run: shownRun } = useConsole()
  const run = useAction()
  const list = inForceIn(store)
  if (list.length === 0 || shownRun !== undefined) return null
  return (
    <ul class="group in-force" aria-label="Not the default">
      {list.map(({ name, text, place, undo, remove }) => (
        <li key={name}>
          <Chip
            text={text}
            href={linkTo(place)}
            tone="warning"
            remove={remove}
            onRemove={() => void run(undo, `${remove}: done`)}
          />
        </li>
      ))}
    </ul>
  )
}
