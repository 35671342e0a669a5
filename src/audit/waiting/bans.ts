import { PerOrigin } from '../per-origin.ts'
import type { Found, Watch } from '../rule.ts'
import { isAfter, isBefore, type Seen } from '../seen.ts'
import { doubtAfter, repeatedBefore } from './early.ts'

/** A ban that refusals led to. */
export interface Ban {
  /** The refusals that led to it, and the first reply that told of it, as far as they are remembered. */
  readonly refusals: readonly Seen[]
  /** How many there were. */
  readonly count: number
  /** How many were sent before the time that an earlier one had told. */
  readonly knowing: number
  /** Whether all were sent before the first of them could be known. */
  readonly isBurst: boolean
  /** What else may be behind one that was sent knowingly. */
  readonly doubt: ReturnType<typeof doubtAfter>
  /** Says so if a Date that was ahead may have told the client to come back. */
  readonly byDate: string
}

interface Refusals {
  list: Seen[]
  count: number
  knowing: number
  isBurst: boolean
  doubt: Ban['doubt']
  byDate: string
  isBanned: boolean
}

const keptRefusals = 20

/** Watches for bans that refusals lead to, and not a control, a magic key or a fault. */
export function watchBans(judge: (ban: Ban) => Found | undefined): Watch {
  const memories = new PerOrigin<Refusals>(() => ({
    list: [],
    count: 0,
    knowing: 0,
    isBurst: true,
    doubt: undefined,
    byDate: '',
    isBanned: false,
  }))
  let hasRefused = false
  return {
    see(exchange) {
      const { code } = exchange
      if (!hasRefused && code === undefined) return undefined
      if (code !== 'rate_limit_exceeded' && code !== 'key_banned') {
        if (code === undefined) forgetServed(memories.find(exchange))
        return undefined
      }
      if (exchange.retryAt === undefined) return undefined
      hasRefused = true
      const memory = memories.of(exchange)
      add(memory, exchange)
      const isFirst = code === 'key_banned' && !memory.isBanned
      memory.isBanned = code === 'key_banned'
      if (!isFirst || memory.count < 2) return undefined
      return judge({ ...memory, refusals: memory.list })
    },
    forget: () => memories.forget(),
  }
}

/** A request that is served ends the ban, too. */
function forgetServed(memory: Refusals | undefined): void {
  if (memory === undefined) return
  forget(memory)
  memory.isBanned = false
}

/** A request that is served ends the window of the refusals before it, and so does a wait as long as they asked for. */
function forget(memory: Refusals | undefined): void {
  if (memory === undefined || memory.count === 0) return
  memory.list = []
  memory.count = 0
  memory.knowing = 0
  memory.isBurst = true
  memory.doubt = undefined
  memory.byDate = ''
}

function add(memory: Refusals, exchange: Seen): void {
  const early = memory.list.filter(
    (one) => one.retryAt !== undefined && isBefore(one.retryAt, one, exchange),
  )
  if (early.length === 0) forget(memory)
  if (early.some((one) => doubtAfter(one, exchange) === 'skewed')) {
    memory.byDate = '; the Date of a reply was ahead (gap dateSkew)'
  }
  if (early.some((one) => isAfter(one, exchange))) memory.isBurst = false
  const former =
    early.findLast((one) => isAfter(one, exchange)) ?? repeatedBefore(exchange, early).at(-1)
  if (former !== undefined) {
    memory.knowing++
    memory.isBurst = false
    memory.doubt ??= doubtAfter(former, exchange)
  }
  memory.count++
  if (memory.list.length < keptRefusals) memory.list.push(exchange)
  else memory.list[keptRefusals - 1] = exchange
}
