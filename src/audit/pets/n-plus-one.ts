import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { isInOrder, type Seen, waitedMs } from '../seen.ts'

/** How many pets of one list tell a habit. */
const most = 5

/** The longest pause before each of them: people who look at one pet after the other take longer. */
const pauseMs = 3_000

/** A list, and the pets of it that were fetched since. */
interface Listed {
  list: Seen | undefined
  /** Whether there was a longer pause. */
  isOld: boolean
  gets: Seen[]
}

/** Pets that are fetched one by one after a list that has them (spec 2). */
export const nPlusOne: Rule = {
  severity: 'warning',
  clause: 'spec 2; spec 8',
  about:
    'At least five pets were fetched one by one, although an earlier list had given them in full.',
  advice: 'Use the pets in the list: it has every field of each.',
  needsKnowledge: true,
  sees: ['get after list'],
  quotesNothing: true,
  watch() {
    const memories = new PerOrigin<Listed>(() => ({ list: undefined, isOld: false, gets: [] }))
    return {
      see(next) {
        const { list, listBody } = next.origin
        if (next.operation !== 'getPet' || list === undefined) return undefined
        const listed = memories.of(next)
        if (listed.list !== list) {
          listed.list = list
          listed.isOld = false
          listed.gets = []
        }
        const { gets } = listed
        if (waitedMs(gets.at(-1) ?? list, next) > pauseMs) listed.isOld = true
        if (listed.isOld || gets.length >= most || !isInOrder(list, next)) return undefined
        const { url } = next
        const id = url.replace(/^.*\/|\?.*$/g, '')
        if (gets.some((one) => one.url === url) || !listBody.includes(`"id":${id},`)) {
          return undefined
        }
        gets.push(next)
        if (gets.length < most) return undefined
        return {
          verdict: `Fetched ${most} pets one by one, just after a list had given them in full.`,
          exchanges: [list, ...gets],
        }
      },
      forget: () => memories.forget(),
    }
  },
}
