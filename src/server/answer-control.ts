import { NodeBody } from '../adapters/parts/node-body.ts'
import { writeOutcome, writeStream } from '../adapters/parts/write-node-outcome.ts'
import { headersFrom } from '../contract/message.ts'
import { handleControl, maxBytesOf } from '../control/http/handle-control.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import { enforceGuard } from './guard.ts'
import { type Call, findSandbox, type Site } from './site.ts'

/** Answers a request of the control API, of the default sandbox or a named one; reads nothing of a stranger's body. */
export async function answerControl(site: Site, call: Call): Promise<void> {
  const { guard, unread, processControls, pool } = site
  const { request, response, target, owner } = call
  const { name, url, authority } = target
  const { method = '', rawHeaders } = request
  const headers = headersFrom(rawHeaders)
  const found = findSandbox(site, name, headers, () => enforceGuard(headers, guard, authority))
  if ('refuse' in found) {
    new NodeBody(request, 0).discard()
    await writeOutcome(response, await found.refuse())
    return
  }
  const isBodiless = method === 'GET' || method === 'HEAD'
  const body = isBodiless
    ? ''
    : await (call.body ?? new NodeBody(request, maxBytesOf(url))).text(headers['content-length'])
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  const stay = stayOf(found.sandbox, name === undefined ? undefined : pool, owner)
  try {
    const reply = await handleControl(
      { method, url, headers, body },
      {
        controls: found.sandbox,
        process: name === undefined ? processControls : undefined,
        origin: `${site.origin()}${prefix}`,
        owner: stay.signal,
      },
    )
    if (reply.kind === 'stream') await writeStream(response, reply, unread.watch)
    else await writeOutcome(response, unread.bounded(reply), [], unread.watch)
  } finally {
    stay.end()
  }
}

/** What a control request hangs on: its connection, and a named sandbox, which may be deleted. */
interface Stay {
  readonly signal: AbortSignal
  /** Ends it, once the request is answered. */
  end(): void
}

function stayOf(sandbox: Sandbox, pool: SandboxPool | undefined, owner: AbortSignal): Stay {
  // The default sandbox stays as long as the process.
  if (pool === undefined) return { signal: owner, end: () => {} }
  const stay = new AbortController()
  const leave = (): void => stay.abort(owner.reason)
  const forget = pool.onDelete((deleted) => {
    if (deleted === sandbox) stay.abort('the sandbox is deleted')
  })
  owner.addEventListener('abort', leave)
  if (owner.aborted) leave()
  return {
    signal: stay.signal,
    end() {
      forget()
      owner.removeEventListener('abort', leave)
    },
  }
}
