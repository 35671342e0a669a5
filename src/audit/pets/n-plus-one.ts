import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { isInOrder, type Seen, waitedMs } from '../seen.ts'

/** How many pets of one list tell a habit. */
const most = 5

/** The longest pause before each of them: people who look at one pet after the other take longer. */
const pauseMs = 3_000

/** The longest list that is kept, in characters. */
const keptBody = 16_384

/** The latest list of an origin, and the pets of it that were fetched since. */
interface Listed {
  list: Seen | undefined
  body: string
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
  sees: ['list', 'get', 'create'],
  quotesNothing: true,
  watch() {
    const memories = new PerOrigin<Listed>(() => ({ list: undefined, body: '', gets: [] }))
    return {
      see(next, { outcome }) {
        const { operation } = next
        if (operation === 'listPets' && outcome.kind === 'reply' && next.status === 200) {
          const listed = memories.of(next)
          listed.list = next
          listed.body = outcome.body.length > keptBody ? '' : outcome.body
          if (listed.gets.length > 0) listed.gets = []
          return undefined
        }
        if (operation !== 'getPet' && operation !== 'createPet') return undefined
        const listed = memories.find(next)
        const list = listed?.list
        if (listed === undefined || list === undefined) return undefined
        const { body, gets } = listed
        const isOld = waitedMs(gets.at(-1) ?? list, next) > pauseMs
        // A client may have to look for a pet that the list can't have.
        if (operation === 'createPet' || isOld) listed.list = undefined
        if (listed.list === undefined || !isInOrder(list, next)) return undefined
        const id = next.url.replace(/^.*\/|\?.*$/g, '')
        const isNew = gets.every(({ url }) => url !== next.url)
        if (!isNew || gets.length >= most || !body.includes(`"id":${id},`)) return undefined
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
