import { createFetchHandler } from '../../adapters/fetch.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import { runStep } from '../../mock/api/control-step.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import type { NewRequest } from '../live/console-context.ts'
import { sendRequest } from '../live/send-request.ts'
import { pageClient } from '../panel/page-client.ts'
import { ShownSandbox } from '../panel/shown-sandbox.ts'
import { maxSteps, type TryStep, tryFragment } from './try-link.ts'

/** Base URL for clients in the page and for copied texts: that of a server with default options. */
export const apiUrl = 'http://127.0.0.1:7387/v1'

/** The sandbox in the page, with functions that send requests to it. */
export class Playground {
  readonly shown = new ShownSandbox(createSandbox({ coverage: true }))
  /** Its controls; requests of the page itself belong to no client, and break no rule. */
  readonly client: ConsoleClient
  /** The sandbox that the browser's developer console inspects: this one, or that of a run. */
  inspected: ShownSandbox = this.shown
  /** Steps since the start, as a link to this page, by the id of the last request. */
  readonly #links = new Map<number, string>()
  #steps: readonly TryStep[] = []
  /** Ids of requests that the page itself has sent. */
  readonly #own = new Set<number>()

  constructor() {
    this.shown.startChecks()
    const client = pageClient(this.shown)
    this.client = {
      ...client,
      foundSoFar: async () => this.#ofClients(await client.foundSoFar()),
      findings: async (options) => this.#ofClients(await client.findings(options)),
    }
  }

  /** Sends requests to the sandbox shown at that time, never over a network. */
  readonly fetch: typeof fetch = (input, init) =>
    createFetchHandler(this.sandbox)(input instanceof Request ? input : String(input), init)

  get sandbox() {
    return this.shown.current
  }

  /** Starts anew with another sandbox. */
  restart(): void {
    this.replace(createSandbox({ coverage: true }))
  }

  /** Continues with another sandbox. */
  replace(sandbox: Playground['sandbox']): void {
    this.#own.clear()
    this.#links.clear()
    this.#steps = []
    this.shown.replace(sandbox)
  }

  /**
   * Calls the controls and sends the requests of steps; returns the id of the last request, if any.
   *
   * @throws Error for a control that is rejected, or a request that browsers can't send.
   */
  async run(steps: readonly TryStep[]): Promise<number | undefined> {
    const { sandbox } = this
    let last: number | undefined
    for (const step of steps) {
      // The user may have started anew meanwhile.
      if (this.sandbox !== sandbox) return undefined
      this.#steps = [...this.#steps, step]
      if ('control' in step) runStep(sandbox, step)
      else for (let time = 0; time < step.times; time++) last = await this.#send(step.request)
    }
    if (last !== undefined && this.#steps.length <= maxSteps) {
      this.#links.set(last, location.href.replace(/(?:#.*)?$/s, tryFragment(this.#steps)))
    }
    return last
  }

  /** Returns a link to this page that reproduces a request of the page itself. */
  linkOf(id: number): string | undefined {
    return this.#links.get(id)
  }

  async #send(request: NewRequest): Promise<number | undefined> {
    const send = async (one: Request) => await (await this.fetch(one)).text()
    const id = await sendRequest(request, { client: this.client, apiUrl, send })
    if (id !== undefined) this.#own.add(id)
    return id
  }

  #ofClients(findings: readonly Finding[]): Finding[] {
    return findings.filter(
      ({ requests }) => requests.length === 0 || requests.some((id) => !this.#own.has(id)),
    )
  }
}
