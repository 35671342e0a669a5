import type { IncomingMessage } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { NodeBody } from '../../adapters/parts/node/node-body.ts'
import { maxBodyBytes } from '../../contract/http/read-request.ts'
import { findTarget } from '../find-target.ts'
import type { ServerMiddleware } from '../server-options.ts'
import type { Front, Rest } from '../site.ts'
import { writeError } from '../write-error.ts'
import { serveFolder } from './serve-folder.ts'

/** Where a request goes on after Express. */
interface Onward {
  readonly rest: Rest
  readonly body: NodeBody
}

/** A target that Express can take apart. */
const plainTarget = /^\/[^\s#\ufeff]*$/

/**
 * Puts an Express app in front of the sandbox: the user's own middleware, then a folder of files.
 *
 * @throws {@link InputError} if there is no such folder.
 */
export function createFront(
  middleware: readonly ServerMiddleware[],
  staticFolder: string | undefined,
): Front {
  const onwards = new WeakMap<IncomingMessage, Onward>()
  const app = express()
  // Replies of the API pass through here.
  app.disable('x-powered-by')
  if (middleware.length > 0) app.use(...middleware)
  if (staticFolder !== undefined) app.use(serveFolder(staticFolder))
  app.use((req: Request) => {
    const { rest, body } = onwards.get(req) ?? {}
    if (body !== undefined) rest?.answer(body)
  })
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    // Its client has left within the body, which is no bug.
    if (req.readableAborted) return
    const { rest, body } = onwards.get(req) ?? {}
    const status = statusOf(error)
    // Of a body that the user's parser can't read, the API says itself what is wrong.
    if (body !== undefined && isOfBodyParser(error) && findTarget(req.url).kind === 'api') {
      rest?.answer(body)
    } else if (error instanceof Error && status !== undefined && !res.headersSent) {
      writeError(res, status, error.message)
    } else rest?.fail(error)
  })
  return {
    takes: ({ kind, local }) =>
      kind !== 'control' &&
      (kind === 'elsewhere' || middleware.length > 0) &&
      plainTarget.test(local),
    answer(request, response, rest) {
      const body = new NodeBody(request, maxBodyBytes)
      if (middleware.length > 0) body.keep()
      onwards.set(request, { rest, body })
      app(request, response)
    },
  }
}

/** The status that an error asks for, as those of `http-errors` do, if a client has made it. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error && 'status' in error)) return undefined
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

/** Whether an error is one of Express's body parsers: they alone have a type. */
function isOfBodyParser(error: unknown): boolean {
  return error instanceof Error && 'type' in error && statusOf(error) !== undefined
}
