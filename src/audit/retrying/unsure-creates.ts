import { PerOrigin } from '../per-origin.ts'
import type { Found, Watch } from '../rule.ts'
import { isFollowing, isSame, type Seen } from '../seen.ts'
import { isLost } from './failures.ts'

/** A pet that was sent again, though the first time may have added it. */
export interface SentAgain {
  readonly first: Seen
  readonly again: Seen
}

/** How many requests to add a pet are kept for each origin. */
const kept = 32

/** Watches for pets that are sent again without a look whether they are there. */
export function watchUnsureCreates(judge: (sent: SentAgain) => Found | undefined): Watch {
  const memories = new PerOrigin<{ creates: Seen[] }>(() => ({ creates: [] }))
  return {
    see(next) {
      if (next.operation !== 'createPet') return undefined
      const known = memories.find(next)
      const mayMatter = isUnsure(next)
      if (known === undefined && !mayMatter) return undefined
      const memory = known ?? memories.of(next)
      const { creates } = memory
      const first = creates.findLast((one) => isSame(one, next) && isFollowing(one, next))
      const others = first === undefined ? creates : creates.filter((one) => one !== first)
      memory.creates = mayMatter ? [...others, next].slice(-kept) : others
      if (first === undefined || !isUnsure(first) || hasLooked(first)) return undefined
      return judge({ first, again: next })
    },
    forget: () => memories.forget(),
  }
}

/** Whether the client has looked since what pets there are, over whichever connection. */
function hasLooked({ origin, visit }: Seen): boolean {
  return origin.keyUse.lastLookOrder > (visit.answerOrder ?? 0)
}

/** Whether a client can't know what became of a request; a refusal, and who says when to come back, say that nothing did. */
function isUnsure(seen: Seen): boolean {
  return seen.retryAt === undefined && isLost(seen)
}
