import fc from 'fast-check'
import type { Page } from 'playwright'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { routeRequests } from '../../../../src/adapters/playwright.ts'
import type { RequestTarget } from '../../../../src/mock/api/message.ts'
import { browser } from '../../../kit/browser.ts'
import { inProcess, settled, settlingTime } from '../../../kit/client-adapters.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import type { ClientReply, ClientRequest, Send } from '../../../kit/polite-client.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../../../kit/polite-scenes.ts'
import {
  anyCircumstances,
  expectJustDeserts,
  rudenesses,
  rudeSandbox,
} from '../../../kit/rudenesses.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

const shop = 'https://shop.test/'

/** How long requests may stand in line until that looks like a client that knew all: less than the audit takes it for. */
const maxInLineMs = 200

/** How long a request may be on its way until its client seems to have paused: less than any rule takes for a pause. */
const maxOnItsWayMs = 1_000

/** A way from a page to a sandbox. */
interface PageRoute {
  readonly send: Send
  /** Whether requests have stood in line, or been on their way, for so long that the client seems to have been quiet. */
  readonly hasStalled: boolean
}

/** Opens a page of another origin than any API's. */
async function openShop(): Promise<Page> {
  const page = await browser.newPage()
  await page.route(shop, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
  )
  await page.goto(shop)
  return page
}

/**
 * Has Playwright's routes answer a page from a sandbox.
 *
 * @param host Of the API, which no other sandbox of the page has.
 */
async function routePage(page: Page, sandbox: RequestTarget, host: string): Promise<PageRoute> {
  const line = new Line()
  await routeRequests(page.context(), line.before(sandbox), { apiUrl: `https://${host}/v1` })
  const fetchIn = (request: ClientRequest): Promise<ClientReply | undefined> =>
    page.evaluate(
      async ({ host, request: { url, body, ...init } }) => {
        try {
          const response = await fetch(`https://${host}${url}`, {
            ...init,
            redirect: 'manual',
            ...(body === '' ? {} : { body }),
          })
          const headers = Object.fromEntries(response.headers)
          return { status: response.status, headers, body: await response.text() }
        } catch {
          return undefined
        }
      },
      { host, request },
    )
  return {
    send: (request) => line.await(fetchIn(request)),
    get hasStalled() {
      return line.hasStalled
    },
  }
}

/** The requests that are under way between a page and its sandbox. */
class Line {
  hasStalled = false
  /** When each was sent that has no answer yet. */
  readonly #underWay = new Set<{ readonly sentAt: number }>()
  #latestAt = 0

  /** Watches when requests arrive at a sandbox, and when they are answered. */
  before({ handle, arrivals }: RequestTarget): RequestTarget {
    if (arrivals === undefined) throw new TypeError('Cannot judge: the sandbox notes no arrivals')
    const arrive: typeof arrivals.arrive = (adapter, connection) => {
      const now = performance.now()
      const isQueued = [...this.#underWay].some(({ sentAt }) => sentAt < this.#latestAt)
      if (isQueued && now - this.#latestAt > maxInLineMs) this.hasStalled = true
      this.#latestAt = now
      return arrivals.arrive(adapter, connection)
    }
    return {
      arrivals: { ...arrivals, arrive },
      handle: async (request, signal, arrived) => {
        const outcome = await handle(request, signal, arrived)
        this.#latestAt = performance.now()
        return outcome
      },
    }
  }

  async await<Result>(answer: Promise<Result>): Promise<Result> {
    const sent = { sentAt: performance.now() }
    this.#underWay.add(sent)
    try {
      return await answer
    } finally {
      this.#underWay.delete(sent)
      if (performance.now() - sent.sentAt > maxOnItsWayMs) this.hasStalled = true
    }
  }
}

/** How many scenes are played at the same time: what they do most is wait. */
const scenes = 4

/** How many tasks a scene has at most. */
const tasks = 12

/** Values without which no page of another origin knows how to behave. */
const forPages = { cors: 'allowed', exposedHeaders: 'all' } as const

const page = await openShop()
afterAll(() => page.close())

describe('through the routes of Playwright', () => {
  it('a polite page gets no error and no warning', { timeout: 120_000 }, async () => {
    const seed = inject('testSeed')
    const plays = fc.sample(anyScene, { numRuns: scenes, seed }).map(async (whole, index) => {
      const gaps = { ...whole.gaps, ...forPages }
      const scene = { ...whole, gaps, tasks: whole.tasks.slice(0, tasks) }
      const sandbox = frozenSandbox(optionsOf(scene))
      await sandbox.findings()
      const route = await routePage(page, sandbox, `polite-${index}.test`)
      await play(scene, sandbox, inProcess(route.send, settlingTime(sandbox)))
      expect(sandbox.requests.list().every(({ adapter }) => adapter === 'playwright')).toBe(true)
      return { scene, sandbox, route }
    })
    const sometimes = new Sometimes('an error', 'a success')
    for (const { scene, sandbox, route } of await Promise.all(plays)) {
      sometimes.meet(metIn(sandbox))
      // What stands in line for as long as a client is quiet looks like one that knew.
      if (!route.hasStalled)
        await expectNoComplaint(sandbox, { seed, scene }, {}, 'retry-too-early')
    }
    sometimes.expectAllMet()
  })

  it('a page that breaks one manner gets just what it has earned', {
    timeout: 120_000,
  }, async () => {
    const seed = inject('testSeed')
    // All of them are played over HTTP; here, what a page's requests are judged by.
    const some = rudenesses.filter((_, index) => index % 6 === 0)
    const plays = some.map(async (rudeness, index) => {
      const [drawn] = fc.sample(anyCircumstances, { numRuns: 1, seed: seed + index })
      if (drawn === undefined) throw new TypeError('Cannot play: there is no sample')
      const circumstances = { ...drawn, gaps: { ...drawn.gaps, ...forPages } }
      const sandbox = await rudeSandbox(rudeness, circumstances)
      const route = await routePage(page, sandbox, `rude-${index}.test`)
      const stage = { sandbox, send: route.send, rest: settled }
      const context = { does: rudeness.does, seed, circumstances }
      const checked = expectJustDeserts(rudeness, circumstances, stage, context)
      await checked.catch((error) => {
        if (!route.hasStalled) throw error
      })
    })
    await Promise.all(plays)
  })
})
