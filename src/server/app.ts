import express, { type Express, type Request, type Response } from 'express'
import { answer } from '../adapters/express.ts'
import type { Handler } from '../contract/message.ts'
import { corsLines, isPreflight, preflightLines } from './cors.ts'

/** Makes the Express app that serves a sandbox at the root of an address. */
export function createApp(handle: Handler): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((req: Request, res: Response, next: (error: unknown) => void) => {
    if (isPreflight(req)) {
      res.writeHead(204, [...preflightLines(req)])
      res.end()
      return
    }
    answer(req, res, req.originalUrl, handle, corsLines(req)).catch(next)
  })
  return app
}
