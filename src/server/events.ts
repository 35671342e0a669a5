import type { ServerResponse } from 'node:http'
import { ApiError } from '../contract/error.ts'
import { show } from '../input/show.ts'
import type { Sandbox } from '../sandbox.ts'

/** How often a stream without news says that it is alive. */
const heartbeatMs = 15_000

/** Streams a sandbox's exchanges as server-sent events, until the client leaves, or the sandbox or the server ends. */
export class EventStreams {
  readonly #open = new Map<ServerResponse, Sandbox>()

  /**
   * Begins a stream: an event `request` for each exchange, its data the journal's entry.
   *
   * @throws {@link ApiError} for any method but GET.
   */
  begin(response: ServerResponse, sandbox: Sandbox): void {
    const { method } = response.req
    if (method !== 'GET') {
      const message = `Cannot use ${show(method)} on "/_sandbox/events": the path has only GET`
      throw new ApiError('method_not_allowed', message, { headers: { allow: 'GET' } })
    }
    response.writeHead(200, ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store'])
    response.write(': the exchanges of this sandbox, from now on\n\n')
    const end = sandbox.journal.subscribe((entry) => {
      response.write(`id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`)
    })
    const heartbeat = setInterval(() => response.write(': alive\n\n'), heartbeatMs)
    this.#open.set(response, sandbox)
    response.on('close', () => {
      end()
      clearInterval(heartbeat)
      this.#open.delete(response)
    })
  }

  /** Ends all streams, which would keep a server from stopping. */
  endAll(): void {
    for (const response of this.#open.keys()) response.end()
  }

  /** Ends the streams of a sandbox that is no more. */
  endOf(sandbox: Sandbox): void {
    for (const [response, streamed] of this.#open) if (streamed === sandbox) response.end()
  }
}
