import { setImmediate } from 'node:timers/promises'
import { NodeBody, noBody } from '../adapters/parts/node/node-body.ts'
import { writeOutcome, writeStream } from '../adapters/parts/write-node-outcome.ts'
import { ApiError } from '../contract/error.ts'
import { headersFrom } from '../contract/http/read-request.ts'
import {
  controlPath,
  handleControl,
  incomingBytesOf,
  maxBytesOf,
} from '../control/http/handle-control.ts'
import { MissingError } from '../input/input-error.ts'
import { show } from '../input/show.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import { findConsole, writePage } from './console/serve-console.ts'
import { enforceGuard } from './guard.ts'
import { IncomingBody } from './incoming-body.ts'
import { type Call, findSandbox, type Refused, type Site } from './site.ts'

/** Answers a request of the control API, of the default sandbox or a named one; reads nothing of a stranger's body. */
export async function answerControl(site: Site, call: Call): Promise<void> {
  const { guard, unread, processControls, pool } = site
  const { request, response, target, place } = call
  const { owner, order } = call.client
  // Those before may decide which sandboxes there are.
  if (!order.isNext(place)) await order.turn(place)
  const { name, authority } = target
  const { method = '', rawHeaders } = request
  const sent = headersFrom(rawHeaders)
  const page = findConsole(method, target, sent.accept ?? '')
  const isPage = page !== undefined && page.kind !== 'controls'
  // The console asks for the token itself; its files are the same for everyone.
  const keeper = isPage ? { ...guard, token: undefined } : guard
  const first = findSandbox(site, isPage ? undefined : name, sent, () => {
    enforceGuard(sent, keeper, authority)
    if (site.file !== undefined) refuseChange(method, target.url, site.file)
  })
  if ('refuse' in first) return await refuse(call, first)
  if (page !== undefined && page.kind !== 'controls') {
    order.leave(place)
    new NodeBody(request, 0).discard()
    const { file, packageFiles } = site
    const hasToken = guard.token !== undefined
    await writePage(response, page, { files: packageFiles, file, hasToken })
    return
  }
  // The list of controls has a place of its own, beside the console.
  const url = page === undefined ? target.url : controlPath
  const headers = page === undefined ? sent : { ...sent, accept: 'text/html' }
  const declared = headers['content-length']
  const isBodiless = method === 'GET' || method === 'HEAD'
  const maxBytes = call.body === undefined ? incomingBytesOf({ method, url }) : undefined
  const reading =
    isBodiless || maxBytes !== undefined
      ? undefined
      : (call.body ?? new NodeBody(request, maxBytesOf(url), site.longControls))
  const body = reading === undefined ? noBody : await reading.read(declared)
  // It may have been deleted meanwhile, and made anew.
  const found = reading === undefined ? first : findSandbox(site, name, sent)
  if ('refuse' in found) {
    reading?.release()
    return await refuse(call, found)
  }
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  const stay = stayOf(found.sandbox, name, pool, owner)
  const rooms = site.longDocuments
  const incoming =
    maxBytes === undefined
      ? undefined
      : new IncomingBody(request, { maxBytes, declared, rooms, owner: stay.signal })
  try {
    const reply = await handleControl(
      { method, url, headers, ...body },
      {
        controls: found.sandbox,
        process: name === undefined ? processControls : undefined,
        origin: `${site.origin()}${prefix}`,
        owner: stay.signal,
        incoming,
        nextTurn,
      },
    ).finally(() => {
      reading?.release()
      incoming?.release()
    })
    order.leave(place)
    // What a refusal has left unread.
    if (incoming !== undefined && !request.complete) new NodeBody(request, 0).discard()
    if (reply.kind === 'stream') await writeStream(response, reply, unread.watch)
    else await writeOutcome(response, unread.bounded(reply, response), [], unread.watch)
  } catch (error) {
    // A client that leaves before the end of its body is read wants no answer.
    if (incoming === undefined || request.readableEnded || !request.destroyed) throw error
  } finally {
    stay.end()
  }
}

/** Answers a request for which there is no sandbox, or which may not be answered; reads past its body. */
async function refuse({ request, response, client, place }: Call, found: Refused): Promise<void> {
  client.order.leave(place)
  new NodeBody(request, 0).discard()
  await writeOutcome(response, await found.refuse())
}

/** By itself, for Node loads all of undici for the first message of a channel. */
const nextTurn = (): Promise<void> => setImmediate()

/** The only control that asks with a body, and changes nothing. */
const whatIf = /^\/_sandbox\/requests\/[^/?]+\/what-if$/

/** @throws {@link ApiError} `forbidden` for a control that changes something. */
function refuseChange(method: string, url: string, file: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (method === 'POST' && whatIf.test(url)) return
  throw new ApiError('forbidden', `Cannot change ${file}: it is only shown here`)
}

/** What a control request hangs on: its connection, and a named sandbox, which may be deleted. */
interface Stay {
  readonly signal: AbortSignal
  /** Ends it, once the request is answered. */
  end(): void
}

function stayOf(
  sandbox: Sandbox,
  name: string | undefined,
  pool: SandboxPool,
  owner: AbortSignal,
): Stay {
  // The default sandbox stays as long as the process.
  if (name === undefined) return { signal: owner, end: () => {} }
  const stay = new AbortController()
  const forget = pool.onDelete((deleted) => {
    if (deleted !== sandbox) return
    stay.abort(new MissingError(`Cannot find sandbox ${show(name)}: it has just been deleted`))
  })
  const end = (): void => {
    forget()
    owner.removeEventListener('abort', leave)
  }
  // An answer that waits for its turn then would never end it.
  const leave = (): void => {
    end()
    stay.abort(owner.reason)
  }
  owner.addEventListener('abort', leave)
  if (owner.aborted) leave()
  return { signal: stay.signal, end }
}
