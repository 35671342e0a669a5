import { yieldToEventLoop } from '../../contract/yield-to-event-loop.ts'
import { type Pace, paceOf } from '../../state/clock/pace.ts'
import type { ControlHost } from '../http/control-route.ts'

/** Makes the pace at which a host does something long. */
export function hostPace({ nextTurn = yieldToEventLoop }: Pick<ControlHost, 'nextTurn'>): Pace {
  return paceOf(nextTurn)
}
