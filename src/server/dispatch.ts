import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NodeBody } from '../adapters/parts/node/node-body.ts'
import { type ApiRequest, endVisit, type Outcome } from '../contract/message.ts'
import { answerApi, carryOut } from './answer-api.ts'
import { findTarget } from './find-target.ts'
import type { Client } from './node/connections.ts'
import type { Answering } from './node/node-server.ts'
import type { Call, Site } from './site.ts'
import { writeError } from './write-error.ts'

type AnswerControl = (site: Site, call: Call) => Promise<void>

/** Lets each request of a process be answered by what it is for. */
export class Dispatch implements Answering {
  readonly #site: Site
  /** What answers controls; loaded late, since a start would take longer. */
  #answersControl: Promise<AnswerControl> | undefined

  constructor(site: Site) {
    this.#site = site
  }

  serve(request: IncomingMessage, response: ServerResponse, client: Client): void {
    const target = findTarget(request.url ?? '')
    const { front } = this.#site
    const place = client.order.enter()
    if (front?.takes(target) !== true) {
      this.#answer({ request, response, target, client, place, body: undefined }, client.answered)
      return
    }
    // The user's own middleware may answer it.
    response.once('close', () => {
      client.order.leave(place)
      client.answered()
    })
    // Express knows paths only.
    request.url = target.local
    front.answer(request, response, {
      answer: (body) => {
        const rewritten = findTarget(request.url ?? '')
        this.#answer({ request, response, target: rewritten, client, place, body }, undefined)
      },
      fail: (error) => this.#fail(response, error),
    })
  }

  async carryOut(request: ApiRequest, client: Client): Promise<Outcome> {
    const { owner, connection } = client
    const visit = this.#site.sandbox.visit('process', connection)
    const outcome = await carryOut(this.#site, request, { owner, visit }, undefined)
    endVisit(visit, owner)
    return outcome
  }

  reportBug(error: unknown): void {
    this.#site.reportBug(error)
  }

  forget(socket: Socket): void {
    this.#site.unread.forget(socket)
  }

  #answer(call: Call, answered: (() => void) | undefined): void {
    const isControl = call.target.kind === 'control'
    const { file } = this.#site
    const { order } = call.client
    if (!isControl && file !== undefined) {
      new NodeBody(call.request, 0).discard()
      writeError(call.response, 403, `Cannot serve the API: this process only shows ${file}`)
      order.leave(call.place)
      answered?.()
      return
    }
    const answer = isControl ? this.#answerControl(call) : answerApi(this.#site, call)
    answer.then(answered, (error) => {
      this.#fail(call.response, error)
      order.leave(call.place)
      answered?.()
    })
  }

  #fail(response: ServerResponse, error: unknown): void {
    this.#site.reportBug(error)
    const message = 'Cannot answer the request: the sandbox has a bug; its standard error says more'
    if (response.headersSent) response.destroy()
    else writeError(response, 500, message)
  }

  async #answerControl(call: Call): Promise<void> {
    this.#answersControl ??= loadControls()
    const answer = await this.#answersControl
    await answer(this.#site, call)
  }
}

/** Loads what answers controls; to load it and to answer the first time takes long enough for two turns. */
async function loadControls(): Promise<AnswerControl> {
  const { answerControl } = await import('./answer-control.ts')
  await nextTurn()
  return answerControl
}
