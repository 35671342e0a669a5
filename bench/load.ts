import { connect } from 'node:net'

/** A request as it goes over the wire, and the status that its reply must have. */
export interface Shot {
  readonly bytes: Buffer
  readonly status: number
}

/** What to send where, and for how long. */
export interface LoadPlan {
  readonly port: number
  readonly connections: number
  /** Gives what to send next, on any of the connections; `undefined` at the end. */
  next(): Shot | undefined
  /** Told of each reply how long it took, in milliseconds. */
  onReply?(ms: number): void
}

/** What came of a load. */
export interface LoadResult {
  readonly replies: number
  readonly seconds: number
}

/**
 * Sends requests on keep-alive connections, each waiting for its reply before the next.
 *
 * A client over bare sockets, since one on `node:http` would need more of the machine than the servers it
 * measures. It never sleeps, since each write of a server would otherwise pay for waking it, the more often
 * the slower that server is.
 *
 * @throws Error when a reply has another status, or a connection breaks.
 */
export async function applyLoad(plan: LoadPlan): Promise<LoadResult> {
  const beginAt = performance.now()
  let awake = setImmediate(stayAwake)
  function stayAwake(): void {
    awake = setImmediate(stayAwake)
  }
  const counts = await Promise.all(
    Array.from({ length: plan.connections }, () => useConnection(plan)),
  ).finally(() => clearImmediate(awake))
  return {
    replies: counts.reduce((sum, count) => sum + count, 0),
    seconds: (performance.now() - beginAt) / 1000,
  }
}

const nothing: Buffer = Buffer.alloc(0)

/** Gives the same shot until a time is over. */
export function repeat(shot: Shot, durationMs: number): LoadPlan['next'] {
  const endAt = performance.now() + durationMs
  return () => (performance.now() < endAt ? shot : undefined)
}

/** Counts the replies on one connection. */
function useConnection({ port, next, onReply }: LoadPlan): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let status = 0
    let replies = 0
    let sentAt = 0
    let read = nothing
    const send = (): void => {
      const shot = next()
      if (shot === undefined) {
        socket.end(() => resolve(replies))
        return
      }
      status = shot.status
      sentAt = performance.now()
      socket.write(shot.bytes)
    }
    socket.on('connect', send)
    socket.on('data', (chunk: Buffer) => {
      read = read.length === 0 ? chunk : Buffer.concat([read, chunk])
      if (!isWhole(read)) return
      const found = read.toString('latin1', 9, 12)
      if (found !== String(status)) {
        socket.destroy(new Error(`Cannot go on: found status ${found}, not ${status}: ${read}`))
        return
      }
      read = nothing
      replies++
      onReply?.(performance.now() - sentAt)
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('Cannot go on: the server closed a connection')))
  })
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/** Whether bytes are a whole reply; nothing can follow it, since the next request is still to be sent. */
function isWhole(bytes: Buffer): boolean {
  const head = bytes.indexOf(headEnd)
  if (head < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length === undefined) return bytes.subarray(-lastChunk.length).equals(lastChunk)
  return bytes.length >= head + headEnd.length + Number(length)
}
