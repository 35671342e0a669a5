import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'

/** How many connections in a row tell a habit. */
const most = 20

/** How long a row lasts at least, in real milliseconds: a pool opens its connections faster than that. */
const rowMs = 2_000

/** The longest pause after which a client could have gone on with its connection. */
const pauseMs = 5_000

/** Requests on new connections, one after the other. */
interface Row {
  /** The latest ones. */
  row: Seen[]
  /** When the first came in, in real milliseconds. */
  began: number
  /** The latest connection; they are counted up, so that an earlier one has been used before. */
  newest: number
  isTold: boolean
}

/** A client that opens a connection for each request (RFC 9112). */
export const connectionPerRequest: Rule = {
  severity: 'info',
  clause: 'RFC 9112, 9.3',
  about: 'Twenty requests in a row each opened a new connection.',
  advice:
    'Keep connections open and reuse them, for instance with one agent or session for all requests.',
  needsKnowledge: false,
  sees: ['connected'],
  quotesNothing: true,
  watch() {
    const memories = new PerOrigin<Row>(() => ({ row: [], began: 0, newest: 0, isTold: false }))
    return {
      see(next) {
        const { connection, received } = next.visit
        if (connection === undefined) return undefined
        const memory = memories.of(next)
        if (memory.isTold) return undefined
        if (connection <= memory.newest) {
          memory.row = []
          return undefined
        }
        const { row } = memory
        memory.newest = connection
        const last = row.at(-1)
        const isNext = last !== undefined && isSoonAfter(last, next)
        memory.row = isNext ? [...row, next].slice(-most) : [next]
        if (!isNext) memory.began = received
        if (memory.row.length < most || received - memory.began < rowMs) return undefined
        memory.isTold = true
        const exchanges = memory.row
        memory.row = []
        return {
          verdict: `Sent ${most} requests in a row, each on a new connection.`,
          exchanges,
        }
      },
      forget: () => memories.forget(),
    }
  },
}

function isSoonAfter({ visit }: Seen, next: Seen): boolean {
  const { startOrder, received } = next.visit
  return (
    (visit.answerOrder ?? startOrder) < startOrder && received - (visit.answered ?? 0) < pauseMs
  )
}
