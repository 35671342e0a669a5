import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { createService, type ExpressManners } from './express-service.ts'

/** A request at a time, in Unix milliseconds. */
export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: number
}

export interface ForeignResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** Settings of a service by the names of `service.py`; `breaks` names what breaks the spec. */
export type Manners = Readonly<Record<string, unknown>>

/** A service that shares no code with the sandbox. */
export interface ForeignService {
  /** Begins anew, with other manners. */
  begin(manners: Manners, seed: number): Promise<void>
  respond(request: ForeignRequest): Promise<ForeignResponse>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the service in Python, in time that only its requests set. */
export function startPython(): ForeignService {
  const file = new URL('service.py', import.meta.url)
  const child = spawn('python3', [file.pathname], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.once('error', (error) => child.stdout.destroy(error))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = async (message: unknown) => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('The service in Python has ended')
    return JSON.parse(value)
  }
  return {
    async begin(manners, seed) {
      await send({ manners, seed })
    },
    respond: send,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** Serves the pet store made with Express over HTTP; only its clock isn't real. */
export async function startExpress(): Promise<ForeignService> {
  const clock = { now: 0 }
  let app = createService({}, clock)
  const server = createServer((request, response) => app(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    async begin(manners) {
      // The manners of tests are named as those of the service.
      app = createService(manners as ExpressManners, clock)
    },
    async respond({ method, path, headers, body, now }) {
      clock.now = now
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        ...{ method, headers, redirect: 'manual' },
        ...(body === '' ? {} : { body }),
      })
      const own = Object.fromEntries(
        [...response.headers].filter(([name]) => !/^(?:connection|keep-alive)$/.test(name)),
      )
      return { status: response.status, headers: own, body: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
