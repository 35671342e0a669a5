import express, { type Request, type RequestHandler } from 'express'
import { describe, expectTypeOf, it } from 'vitest'
import {
  type RunningServer,
  type ServedRequest,
  type ServerMiddleware,
  type ServerOptions,
  startServer,
} from '../../../src/server/start-server.ts'

describe('startServer()', () => {
  it('takes the middleware of Express, as its own types describe it', () => {
    expectTypeOf<RequestHandler>().toExtend<ServerMiddleware>()
    expectTypeOf(express()).toExtend<ServerMiddleware>()
    expectTypeOf(express.Router()).toExtend<ServerMiddleware>()
    startServer({
      middleware: [
        express.json(),
        (req: Request, res, next) => (req.query.a === 'b' ? next() : res.end()),
        (req, res, next) => (req.url === '/' ? next() : res.end()),
      ],
    })
    // @ts-expect-error a middleware gets a request
    startServer({ middleware: [(name: string) => name] })
  })

  it('tells its listeners what they get', () => {
    expectTypeOf<Parameters<NonNullable<ServerOptions['onRequest']>>>().toEqualTypeOf<
      [ServedRequest]
    >()
    expectTypeOf<Parameters<NonNullable<ServerOptions['onError']>>>().toEqualTypeOf<[unknown]>()
  })

  it('gives a server that is disposed of', () => {
    expectTypeOf<RunningServer>().toExtend<AsyncDisposable>()
  })

  it('takes no other options', () => {
    // @ts-expect-error a port is a number
    startServer({ port: '7387' })
    // @ts-expect-error a bug is none of the faults
    startServer({ onFault() {} })
  })
})
