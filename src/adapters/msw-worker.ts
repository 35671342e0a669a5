import type { RequestHandler } from 'msw'
import type { SetupWorker } from 'msw/browser'
import type { Handler } from '../contract/message.ts'
import type { Sandbox } from '../sandbox.ts'
import { createHandlers, type MswOptions } from './msw.ts'
import { holdRequests } from './parts/held-requests.ts'
import { keepState, type StorageKind } from './parts/kept-state.ts'

/** How {@link startWorker} is to intercept the requests of a page. */
export interface WorkerOptions extends MswOptions {
  /** Handlers for what is not the sandbox's, or to answer in its place: they come before it. */
  readonly handlers?: readonly RequestHandler[]
  /** Where MSW's worker script is, `/mockServiceWorker.js` by default, and how it is registered. */
  readonly serviceWorker?: { readonly url?: string; readonly options?: RegistrationOptions }
  /**
   * Keeps the sandbox's state over a reload of the page: in `localStorage`, which all tabs of an origin share, the
   * last one to store it winning, or in `sessionStorage`. By default a reload begins anew.
   */
  readonly persist?: StorageKind
  /** Keeps MSW from telling of each request on the browser's console. */
  readonly quiet?: boolean
  /** What MSW does about requests that no handler answers: `warn` by default, as in MSW. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
}

/**
 * Intercepts the requests of the page with MSW's service worker, and answers them from a sandbox.
 *
 * From the call on, requests wait until the worker is ready, so that none passes it by; when it can't be started,
 * they fail. Await it before the page is rendered all the same: other kinds of requests, such as images, don't wait.
 *
 * @returns MSW's worker, with its `use()` and `stop()`.
 * @throws Error when the worker script is missing, is something else or of another major version of MSW, or when
 * the page is outside of its scope.
 */
export async function startWorker(
  sandbox: Sandbox,
  options: WorkerOptions = {},
): Promise<SetupWorker> {
  const { baseUrl, handlers = [], serviceWorker = {}, persist, quiet = false } = options
  const { fetch } = globalThis
  const requests = holdRequests()
  try {
    const changed = persist === undefined ? () => {} : keepState(sandbox, persist)
    const handle: Handler = async (request) => {
      const outcome = await sandbox.handle(request)
      changed()
      return outcome
    }
    const script = await readScript(serviceWorker.url ?? '/mockServiceWorker.js', fetch)
    // Not before it is needed: hosts without a page, such as a server that renders it, don't have this entry.
    const { setupWorker } = await import('msw/browser')
    const worker = setupWorker(
      ...handlers,
      ...createHandlers({ handle }, baseUrl === undefined ? {} : { baseUrl }),
    )
    if (script !== undefined) expectSameMajor(script, worker)
    const unhandled = options.onUnhandledRequest ?? 'warn'
    // MSW 2 reads the one name, MSW 3 the other.
    const names = { onUnhandledRequest: unhandled, onUnhandledFrame: unhandled }
    await untilControlled(await worker.start({ serviceWorker, quiet, ...names }))
    requests.release()
    return worker
  } catch (error) {
    requests.refuse(error)
    throw error
  }
}

/** MSW's worker script. */
interface Script {
  readonly url: string
  readonly version: string
}

/** Reads the worker script; `undefined` where there are no service workers, and MSW does without. */
async function readScript(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<Script | undefined> {
  if (!('serviceWorker' in navigator) || location.protocol === 'file:') return undefined
  const response = await fetch(url, { cache: 'no-cache' })
  const text = await response.text()
  const version = /INTEGRITY_CHECK_REQUEST/.test(text)
    ? /PACKAGE_VERSION = '([^']*)'/.exec(text)?.[1]
    : undefined
  if (response.ok && version !== undefined) return { url: response.url, version }
  const type = response.headers.get('content-type') ?? 'something without a Content-Type'
  const found = response.ok
    ? `${type} that is no worker script of MSW`
    : `status ${response.status}`
  throw new Error(
    `Cannot start the worker: found ${found} at ${response.url}; ${remedy}, and name its address with serviceWorker.url if it is another`,
  )
}

const remedy = 'run "npx msw init <public folder>"'

/** The versions' messages between page and script differ; MSW only warns, and waits for ever where one is missing. */
function expectSameMajor({ url, version }: Script, worker: SetupWorker): void {
  const major = 'readyState' in worker ? 3 : 2
  if (version.startsWith(`${major}.`)) return
  throw new Error(
    `Cannot start the worker: the script at ${url} is of MSW ${version}, and the page has MSW ${major}; ${remedy} to make it anew`,
  )
}

/** Waits until the worker has the page; after a forced reload it gets it anew. */
async function untilControlled(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  if (registration === undefined || navigator.serviceWorker.controller !== null) return
  if (!location.href.startsWith(registration.scope)) {
    throw new Error(
      `Cannot start the worker: its scope is ${registration.scope}, and ${location.href} is outside of it; put the script at the root`,
    )
  }
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
}
