import { Listeners } from '../../listeners.ts'
import type { Exchange } from '../exchange.ts'
import type { Mark } from '../mark.ts'
import { Callers } from './callers.ts'
import { Sequence } from './sequence.ts'

/** What happens to a sandbox, for who judges it: an exchange that was decided, or a mark. */
export type Happening =
  | { readonly id: number; readonly exchange: Exchange }
  | { readonly mark: Mark }

/** What of a sandbox goes on over resets: its sequence, its callers, and who watches. */
export class History {
  readonly sequence: Sequence = new Sequence()
  readonly callers: Callers = new Callers()
  readonly watchers: Listeners<Happening> = new Listeners()
  /** What watchers do before something changes by which they judge. */
  readonly concluders: Listeners<undefined> = new Listeners()

  /** Goes on after all of another one. */
  goOnFrom({ sequence, callers }: History): void {
    this.sequence.goOnFrom(sequence.last)
    this.callers.goOnFrom(callers.last)
  }
}

/** Puts what is known of the past into the order in which it happened. */
export function inOrder(
  exchanges: readonly { readonly id: number; readonly exchange: Exchange }[],
  marks: readonly Mark[],
): Happening[] {
  const all = [
    ...exchanges.map((one) => ({ happening: one, order: one.exchange.visit.answerOrder ?? 0 })),
    ...marks.map((mark) => ({ happening: { mark }, order: mark.order })),
  ]
  return all.sort((one, other) => one.order - other.order).map(({ happening }) => happening)
}
