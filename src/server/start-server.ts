import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { createApp } from './app.ts'
import { hostClasses } from './host-classes.ts'

/** How to serve. */
export interface ServerOptions {
  /** 0 for any free port; 7387 by default. */
  readonly port?: number
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  /** The sandbox to serve; one with the default seed by default. */
  readonly sandbox?: Sandbox
}

/** A server that serves. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:7387`; the API is under its `/v1`. */
  readonly url: string
  readonly sandbox: Sandbox
  /** Stops: no new connections, running requests end; resolves when the port is free. */
  close(): Promise<void>
}

/** Serves a sandbox over HTTP; resolves when it serves, rejects when it cannot listen. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 7387, host = '127.0.0.1', sandbox = createSandbox() } = options
  const app = createApp(sandbox.handle)
  const server = createServer(hostClasses(app), app)
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    sandbox,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}
