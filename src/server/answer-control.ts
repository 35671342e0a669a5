import { NodeBody, noBody } from '../adapters/parts/node/answer-request.ts'
import { writeOutcome, writeStream } from '../adapters/parts/node/write-outcome.ts'
import { ApiError } from '../contract/error.ts'
import { headersFrom } from '../contract/http.ts'
import { controlPath, handleControl, maxBytesOf } from '../control/http/handle-control.ts'
import { MissingError } from '../input/input-error.ts'
import { show } from '../input/show.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import { findConsole, writePage } from './console.ts'
import { enforceGuard } from './guard.ts'
import { type Call, findSandbox, type Site } from './site.ts'

/** Answers a request of the control API, of the default sandbox or a named one; reads nothing of a stranger's body. */
export async function answerControl(site: Site, call: Call): Promise<void> {
  const { guard, processControls, pool, file } = site
  const { request, response, target, connection, turn } = call
  // Those before may decide which sandboxes there are.
  await turn.comes
  const { name, authority } = target
  const { method = '', rawHeaders } = request
  const sent = headersFrom(rawHeaders)
  const page = findConsole(method, target, sent.accept ?? '')
  const isPage = page !== undefined && page.kind !== 'controls'
  // The console asks for the token itself; its files are the same for everyone.
  const keeper = isPage ? { ...guard, token: undefined } : guard
  const first = findSandbox(site, isPage ? undefined : name, sent, {
    check() {
      enforceGuard(sent, keeper, authority)
      if (file !== undefined) refuseChange(method, target.url, file)
    },
  })
  if ('refusal' in first) {
    await writeOutcome(response, first.refusal)
    return
  }
  if (isPage) {
    await writePage(response, page, file)
    return
  }
  // The list of controls has a place of its own, beside the console.
  const url = page === undefined ? target.url : controlPath
  const headers = page === undefined ? sent : { ...sent, accept: 'text/html' }
  const isBodiless = method === 'GET' || method === 'HEAD'
  const reading = call.body ?? new NodeBody(request, maxBytesOf(url))
  const body = isBodiless ? noBody : await reading.read(headers['content-length'])
  // It may have been deleted meanwhile, and made anew.
  const found = isBodiless ? first : findSandbox(site, name, sent)
  if ('refusal' in found) {
    await writeOutcome(response, found.refusal)
    return
  }
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  const stay = stayOf(found.sandbox, name, pool, connection.owner)
  try {
    const reply = await handleControl(
      { method, url, headers, ...body },
      {
        controls: found.sandbox,
        process: name === undefined ? processControls : undefined,
        origin: `${site.origin()}${prefix}`,
        owner: stay.signal,
      },
    )
    turn.leave()
    if (reply.kind === 'stream') await writeStream(response, reply)
    else await writeOutcome(response, reply)
  } finally {
    stay.end()
  }
}

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
