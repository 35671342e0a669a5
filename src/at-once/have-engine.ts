import { refusalUnder } from '../engine/decide.ts'
import { handle } from '../engine/handle.ts'
import { lateEngine } from '../engine/late-engine.ts'

/**
 * Has the engine there from the start, where pages wait for it at their first request: for Node, and for service workers,
 * which may load nothing later.
 */
export function haveEngine(): void {
  lateEngine.give({ handle, refusalUnder })
}
