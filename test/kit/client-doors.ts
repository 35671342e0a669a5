import { Agent, request as sendHttp } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Sandbox } from '../../src/sandbox.ts'
import { sendByFetch } from './fetch-door.ts'
import type { ClientReply, ClientTime, Send } from './polite-client.ts'
import type { Stage } from './polite-scenes.ts'

/** Sends to the engine itself. */
export function sendDirectly(sandbox: Sandbox): Send {
  return async (request) => {
    const outcome = await sandbox.handle(request)
    const isWhole = outcome.kind === 'broken-reply' && outcome.end === 'whole'
    return outcome.kind === 'reply' || isWhole ? outcome : undefined
  }
}

/** How many turns of the event loop a request is waited for until time goes on. */
const patientTurns = 6

/** Lets the clock of a sandbox go on while an answer is awaited. */
export function movingOn(sandbox: Sandbox, send: Send): Send {
  return async (request) => {
    let isOver = false
    const moveOn = async (): Promise<void> => {
      for (let turn = 1; !isOver; turn++) {
        await new Promise(setImmediate)
        if (!isOver && turn % patientTurns === 0) sandbox.clock.advance(100)
      }
    }
    void moveOn()
    return await send(request).finally(() => {
      isOver = true
    })
  }
}

/** Sends over connections of an agent. */
export function sendOverHttp(port: number, agent: Agent): Send {
  return ({ method, url: path, headers, body }) =>
    new Promise((resolve) => {
      const give = (reply?: ClientReply) => resolve(reply)
      const outgoing = sendHttp({ port, method, path, headers, agent }, (message) => {
        let text = ''
        message.setEncoding('utf8')
        message.on('data', (chunk: string) => {
          text += chunk
        })
        message.on('error', () => give())
        message.on('end', () => {
          const read = Object.entries(message.headers).map(([name, value]) => [name, `${value}`])
          give({ status: message.statusCode ?? 0, headers: Object.fromEntries(read), body: text })
        })
      })
      outgoing.on('error', () => give())
      outgoing.end(body === '' ? undefined : body)
    })
}

/** Workers that share the process with the sandbox. */
export function inProcess(send: Send, time: ClientTime): Stage {
  return { time, connect: () => send, isApart: false }
}

/** Workers that have connections of their own, so many each. */
export function overHttp(
  port: number,
  time: ClientTime,
  connections: number,
): Stage & { close(): void } {
  const agents: Agent[] = []
  return {
    time,
    isApart: true,
    connect() {
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      agents.push(agent)
      return sendOverHttp(port, agent)
    },
    close() {
      for (const agent of agents) agent.destroy()
    },
  }
}

/** Workers that share the pool of Node's `fetch`, which takes any of its connections, or a new one, for each request. */
export function overPool(port: number, time: ClientTime): Stage {
  const send = sendByFetch((url, init) => fetch(url, init), `http://127.0.0.1:${port}`)
  return { time, isApart: false, connect: () => send }
}

/** How long a client over HTTP has to be quiet until it must have known what it was told; and some more. */
const quietMs = 270

/** Waits until a client over HTTP must have known what it was told. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, quietMs))
}

/** How often a play begins again at most. */
const mostPlays = 12

/**
 * Plays what depends on real pauses; again if it fails while the event loop stood still, since a pause of the machine
 * can't be told from one of a client.
 */
export async function playSteadily(play: () => Promise<void>): Promise<void> {
  for (let plays = 1; ; plays++) {
    const stalls = watchStalls()
    try {
      return await play()
    } catch (error) {
      if (!stalls.hasStalled || plays === mostPlays) throw error
    } finally {
      stalls.end()
    }
  }
}

/** Watches whether the event loop stands still for nearly as long as a client has to be quiet. */
export function watchStalls(): { readonly hasStalled: boolean; end(): void } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return {
    get hasStalled() {
      return delay.max / 1e6 > quietMs / 2
    },
    end: () => {
      delay.disable()
    },
  }
}
