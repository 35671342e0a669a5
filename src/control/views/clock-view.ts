import { instantText } from '../../input/instant.ts'
import { object } from '../../input/object.ts'
import { named, type Schema } from '../../input/schema.ts'
import type { ClockReading } from '../../state/clock.ts'
import { clockMode, clockScale } from '../../state/clock.ts'

/** What a clock shows. */
export const clockView: Schema<ClockReading> = named(
  'Clock',
  object({ now: instantText, mode: clockMode, scale: clockScale }, { unknown: 'ignore' }),
)
