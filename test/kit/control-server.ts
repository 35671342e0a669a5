import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../src/mock/api/error.ts'
import { headersFrom } from '../../src/mock/api/http.ts'
import {
  type ControlHost,
  controlErrorResponse,
  handleControl,
} from '../../src/sandbox/controls/http/handle-control.ts'
import type { ControlResponse } from '../../src/sandbox/controls/http/route.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createExample } from '../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../src/sandbox/sandbox-pool.ts'
import { controlHost } from './control-host.ts'
import { frozenSandbox } from './frozen-sandbox.ts'
import { listen } from './listen.ts'

interface ControlServerOptions {
  readonly sandbox?: Sandbox
  readonly pool?: SandboxPool
  readonly token?: string
  readonly port?: number
  readonly save?: () => void
}

/** Serves the control API of a sandbox and of named ones, and nothing else. */
export async function controlServer({
  sandbox = frozenSandbox(),
  pool = new SandboxPool(),
  token,
  port,
  save = () => {},
}: ControlServerOptions = {}) {
  const hits: string[] = []
  const hostOf = (name: string | undefined, origin: string, signal: AbortSignal): ControlHost =>
    name === undefined
      ? { ...controlHost({ sandbox, pool, origin, save }), signal }
      : {
          controls: pool.getOrCreate(name),
          origin: `${origin}/sandboxes/${name}`,
          signal,
          createExample,
        }
  const server = await listen(async (request, response) => {
    const { method = '', url = '', rawHeaders } = request
    hits.push(`${method} ${url}`)
    const headers = headersFrom(rawHeaders)
    const body = await bodyOf(request)
    const [, name, path = url] = /^\/sandboxes\/([^/]+)(\/.*)$/.exec(url) ?? []
    const client = new AbortController()
    response.on('close', () => client.abort())
    try {
      if (token !== undefined && headers.authorization !== `Bearer ${token}`) throw forbidden
      const host = hostOf(name, server.url, client.signal)
      await write(response, await handleControl({ method, url: path, headers, body }, host))
    } catch (thrown) {
      await write(response, controlErrorResponse(thrown))
    }
  }, port)
  return { ...server, sandbox, pool, hits }
}

const forbidden = new ApiError(
  'forbidden',
  'Cannot use the control API: it has no valid control token; send Authorization: Bearer <control token>',
  { reason: 'unauthorized' },
)

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function write(response: ServerResponse, reply: ControlResponse): Promise<void> {
  response.writeHead(reply.status, reply.headers)
  if (reply.kind === 'response') {
    response.end(reply.body)
    return
  }
  response.flushHeaders()
  for await (const piece of reply.pieces) {
    // The next one only when this one is on its way, as in the process.
    await new Promise<void>((resolve) => {
      response.write(piece, () => resolve())
    })
  }
  response.end()
}
