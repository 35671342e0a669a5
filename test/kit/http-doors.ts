import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createMiddleware } from '../../src/adapters/express.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { startServer } from '../../src/server/start-server.ts'

/** A sandbox that is served. */
interface Served {
  readonly port: number
  close(): Promise<void>
}

/** The doors that have connections. */
export const httpDoors: Readonly<Record<string, (sandbox: Sandbox) => Promise<Served>>> = {
  'the process': (sandbox) => startServer({ port: 0, sandbox }),
  async Express(sandbox) {
    const server = createServer(express().use('/v1', createMiddleware(sandbox)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const close = async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
    }
    return { port: (server.address() as AddressInfo).port, close }
  },
}
