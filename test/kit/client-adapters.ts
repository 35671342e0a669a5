import { Agent, request as sendHttp } from 'node:http'
import express from 'express'
import { createMiddleware } from '../../src/adapters/express.ts'
import { EventLoopLateness } from '../../src/adapters/parts/node/event-loop-lateness.ts'
import { realNow } from '../../src/mock/api/real-time.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { startServer } from '../../src/server/start-server.ts'
import { sendByFetch } from './fetch-adapter.ts'
import { openServer } from './open-server.ts'
import { type ClientReply, type ClientTime, movedTime, type Send } from './polite-client.ts'
import type { Stage } from './polite-scenes.ts'

/** Sends to the engine itself. */
export function sendDirectly(sandbox: Sandbox): Send {
  return async (request) => {
    const outcome = await sandbox.handle(request)
    const isWhole = outcome.kind === 'broken-response' && outcome.end === 'whole'
    return outcome.kind === 'response' || isWhole ? outcome : undefined
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

/** Times how long what a client sends is on its way. */
export type Timed = (send: Send) => Send

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

/** Time for which a client over HTTP has to be quiet until it must have known what it was told, in milliseconds. */
const quietEnoughMs = 250

/** Multiple of the lateness of the event loop that is added to it. */
const lateTimes = 4

/** Lateness of the event loop that the client shares with the server. */
const lateness = new EventLoopLateness()

/** Waits until a client over HTTP must have known what it was told, however busy the machine is, and some more. */
export async function settled(): Promise<void> {
  const from = realNow()
  lateness.watch()
  for (let leftMs = quietEnoughMs; leftMs > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, leftMs + 20))
    const now = realNow()
    lateness.watch()
    leftMs = quietEnoughMs + lateTimes * lateness.between(from, now) - (now - from)
  }
}

/** Time that a client over HTTP moves; it must have known what it was told whenever it has waited. */
export function settlingTime(sandbox: Sandbox): ClientTime {
  const moved = movedTime(sandbox)
  return {
    ...moved,
    async sleep(ms) {
      await moved.sleep(ms)
      if (ms > 0) await settled()
    },
  }
}

/** How often a play begins again at most. */
const maxPlays = 12

/** Plays a scene, whose client sends by what is timed. */
type Play = (timed: Timed) => Promise<void>

/**
 * Plays what depends on real pauses, all at the same time; what fails because a request or its answer was on its way for
 * long is played again, alone.
 */
export async function playSteadily(plays: readonly Play[]): Promise<void> {
  const failures = await Promise.all(plays.map(slowFailureOf))
  for (const [place, play] of plays.entries()) {
    let failure = failures[place]
    for (let played = 1; failure !== undefined; played++) {
      if (played === maxPlays) throw failure.error
      failure = await slowFailureOf(play)
    }
  }
}

/**
 * Plays; returns the failure if it may be the machine's: a client that sends before it has an answer seems to have been quiet
 * if answer and request together take as long as a client has to be quiet, and one that rests until a stall of the event loop
 * is over pauses for longer than it was to.
 *
 * @throws What fails although nothing was on its way for half of that, and nothing stalled for a fifth.
 */
async function slowFailureOf(play: Play): Promise<{ readonly error: unknown } | undefined> {
  const startedAt = realNow()
  let longestMs = 0
  const timed: Timed = (send) => async (request) => {
    const sentAt = performance.now()
    return await send(request).finally(() => {
      longestMs = Math.max(longestMs, performance.now() - sentAt)
    })
  }
  try {
    await play(timed)
    return undefined
  } catch (error) {
    const stalledMs = lateness.between(startedAt, realNow())
    if (longestMs < quietEnoughMs / 2 && stalledMs < quietEnoughMs / 5) throw error
    return { error }
  }
}

/** A sandbox that is served. */
interface Served {
  readonly port: number
  close(): Promise<void>
}

/** The adapters that have connections. */
export const httpAdapters: Readonly<Record<string, (sandbox: Sandbox) => Promise<Served>>> = {
  'the process': (sandbox) => startServer({ port: 0, sandbox }),
  Express: (sandbox) => openServer(express().use('/v1', createMiddleware(sandbox))),
}
