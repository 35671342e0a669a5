import { NodeBody } from '../adapters/parts/node/respond-to-request.ts'
import { writeOutcome, writeStream } from '../adapters/parts/node/write-outcome.ts'
import { ApiError } from '../mock/api/error.ts'
import { NotFoundError, show } from '../mock/input/input-error.ts'
import {
  controlErrorResponse,
  controlPath,
  handleControl,
  maxBytesOf,
} from '../sandbox/controls/http/handle-control.ts'
import { createExample } from '../sandbox/sandbox.ts'
import { findConsole, writePage } from './console.ts'
import { enforceGuard } from './guard.ts'
import { findSandbox, type RequestContext, type Site } from './site.ts'

/**
 * Responds to a control request, for the default sandbox or a named one; a request that fails the guard is rejected
 * before its body is read.
 */
export async function respondToControl(site: Site, context: RequestContext): Promise<void> {
  const { guard, processControls, pool, file } = site
  const { request, response, target, connection, headers: sent } = context
  // Earlier control requests may create or delete sandboxes.
  await context.comes
  const { name, authority } = target
  const { method = '' } = request
  const page = findConsole(method, target, sent.accept ?? '')
  const isPage = page !== undefined && page.kind !== 'controls'
  // The console asks for the token itself; its files are the same for all users.
  const keeper = isPage ? { ...guard, token: undefined } : guard
  const first = findSandbox(site, isPage ? undefined : name, sent, controlErrorResponse, () => {
    enforceGuard(sent, keeper, authority)
    if (file !== undefined) rejectChange(method, target.url, file.name)
  })
  if ('rejection' in first) {
    await writeOutcome(response, first.rejection)
    return
  }
  if (isPage) {
    await writePage(response, page, site)
    return
  }
  // The list of controls has its own path, beside the console.
  const url = page === undefined ? target.url : controlPath
  const headers = page === undefined ? sent : { ...sent, accept: 'text/html' }
  const isBodiless = method === 'GET' || method === 'HEAD'
  const reading = context.body ?? new NodeBody(request, maxBytesOf(url))
  const body = isBodiless ? { body: '' } : await reading.read(headers['content-length'])
  // The sandbox may have been deleted or replaced meanwhile.
  const found = isBodiless ? first : findSandbox(site, name, sent, controlErrorResponse)
  if ('rejection' in found) {
    await writeOutcome(response, found.rejection)
    return
  }
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  const deleted = new AbortController()
  const forget = pool.onDelete((one) => {
    if (one !== found.sandbox) return
    deleted.abort(new NotFoundError(`Cannot find sandbox ${show(name)}: it has just been deleted`))
  })
  // A stream that is queued behind another response isn't notified when its client disconnects.
  connection.signal.addEventListener('abort', forget)
  try {
    const output = await handleControl(
      { method, url, headers, ...body },
      {
        controls: found.sandbox,
        process: name === undefined ? processControls : undefined,
        events: site.events,
        createExample,
        origin: `${site.origin()}${prefix}`,
        signal: AbortSignal.any([connection.signal, deleted.signal]),
      },
    )
    context.leave()
    if (output.kind === 'stream') await writeStream(response, output)
    else await writeOutcome(response, output)
  } finally {
    forget()
    connection.signal.removeEventListener('abort', forget)
  }
}

/** Path of the only control that has a body and changes nothing. */
const whatIf = '/_sandbox/what-if'

/**
 * @throws {@link ApiError} `forbidden` for a control that changes something.
 */
function rejectChange(method: string, url: string, file: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (method === 'POST' && url === whatIf) return
  throw new ApiError('forbidden', `Cannot change ${file}: it is only shown here`)
}
