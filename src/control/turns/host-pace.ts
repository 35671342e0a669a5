import { nextTask } from '../../contract/next-task.ts'
import { type Pace, paceOf } from '../../state/clock/pace.ts'
import type { ControlHost } from '../http/control-route.ts'

/** Makes the pace at which a host does something long. */
export function hostPace({ nextTurn = nextTask }: Pick<ControlHost, 'nextTurn'>): Pace {
  return paceOf(nextTurn)
}
