import express from 'express'
import { createMiddleware } from '../../src/adapters/express.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { startServer } from '../../src/server/start-server.ts'
import { openServer } from './open-server.ts'

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
