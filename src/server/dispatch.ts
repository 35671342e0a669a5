import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiRequest, Outcome } from '../contract/message.ts'
import { answerApi, carryOut } from './answer-api.ts'
import { findTarget } from './find-target.ts'
import type { Answering } from './node/node-server.ts'
import type { Call, Site } from './site.ts'
import { writeError } from './write-error.ts'

/** Lets each request of a process be answered by what it is for. */
export class Dispatch implements Answering {
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  serve(request: IncomingMessage, response: ServerResponse, owner: AbortSignal): void {
    const target = findTarget(request.url ?? '')
    const { front } = this.#site
    if (front?.takes(target) !== true) {
      this.#answer({ request, response, target, owner, body: undefined })
      return
    }
    // Express knows paths only.
    request.url = target.local
    front.answer(request, response, {
      answer: (body) => {
        const rewritten = findTarget(request.url ?? '')
        this.#answer({ request, response, target: rewritten, owner, body })
      },
      fail: (error) => this.#fail(response, error),
    })
  }

  carryOut(request: ApiRequest, owner: AbortSignal): Promise<Outcome> {
    return carryOut(this.#site, request, owner, undefined)
  }

  reportBug(error: unknown): void {
    this.#site.reportBug(error)
  }

  forget(socket: Socket): void {
    this.#site.unread.forget(socket)
  }

  #answer(call: Call): void {
    const isControl = call.target.kind === 'control'
    const answered = isControl ? answerControl(this.#site, call) : answerApi(this.#site, call)
    answered.catch((error) => this.#fail(call.response, error))
  }

  #fail(response: ServerResponse, error: unknown): void {
    this.#site.reportBug(error)
    const message = 'Cannot answer the request: the sandbox has a bug; its standard error says more'
    if (response.headersSent) response.destroy()
    else writeError(response, 500, message)
  }
}

/** Answers a control request; loaded late, since a start would take longer. */
async function answerControl(site: Site, call: Call): Promise<void> {
  const loaded = await import('./answer-control.ts')
  await loaded.answerControl(site, call)
}
