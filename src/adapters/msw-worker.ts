import type { RequestHandler } from 'msw'
import type { SetupWorker } from 'msw/browser'
import type { PanelOptions } from '../console/panel/mount-panel.ts'
import type { Handler, RequestTarget } from '../mock/api/message.ts'
import { list, type Optional, object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, type Output, readInput } from '../mock/input/schema.ts'
import { custom, either, flag, oneOf, text } from '../mock/input/values.ts'
import type { Snapshot } from '../mock/state/state.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createHandlers } from './msw.ts'
import { baseUrlOption } from './parts/base-url.ts'

const mswHandler = custom<RequestHandler>(
  "one of MSW's handlers, such as http.get(…)",
  isMswHandler,
)

/** An interface of its own, so that the declarations of this file fit the types of MSW 2 and of MSW 3. */
interface HandlersOption extends Optional<readonly RequestHandler[], RequestHandler[]> {}

const handlersOption: HandlersOption = withDefault(list(mswHandler), [])

const registrationOptions = custom<RegistrationOptions>(
  'an object such as { "scope": "/" }',
  isRecord,
)

const scriptPath = '/mockServiceWorker.js'

/** The storage for the state: `local` is permanent, `session` lasts as long as the tab is open. */
const storageKind = oneOf(['local', 'session'])

const workerScript = object({
  /** The address of the script; `/mockServiceWorker.js` by default. */
  url: withDefault(text(), scriptPath),
  /** Options of `navigator.serviceWorker.register()`, such as `scope`; none by default. */
  options: withDefault(registrationOptions, {}),
})

/** MSW's worker script. */
interface WorkerScript extends Input<typeof workerScript> {}

const workerOptions = object({
  /** The base address of the API; by default `/v1` of any origin. */
  baseUrl: baseUrlOption,
  /** Handlers before the sandbox's, for other addresses or to override the sandbox. */
  handlers: handlersOption,
  /** The address of MSW's worker script, by default `/mockServiceWorker.js`, and its registration options. */
  serviceWorker: withDefault<WorkerScript, Output<typeof workerScript>>(workerScript, {
    url: scriptPath,
    options: {},
  }),
  /**
   * Keeps the sandbox's state across reloads: in `sessionStorage`, or in `localStorage`, which all tabs of an origin
   * share (the last one to save wins). By default a reload starts fresh.
   */
  persist: optional(storageKind),
  /** Whether MSW doesn't log each request on the browser's console; `false` by default. */
  quiet: withDefault(flag, false),
  /**
   * Whether the page shows the sandbox's panel until the worker stops; `false` by default. With `true` the panel is
   * omitted in automated browsers; with `always` it isn't.
   */
  panel: withDefault(either(flag, oneOf(['always'])), false),
  /** MSW's reaction to unhandled requests: `warn` by default, as in MSW. */
  onUnhandledRequest: withDefault(oneOf(['bypass', 'warn', 'error']), 'warn'),
})

/** Options of {@link startWorker}. */
export interface WorkerOptions extends Input<typeof workerOptions> {}

type StartOptions = Omit<Output<typeof workerOptions>, 'panel'>

/**
 * Intercepts the requests of the page with MSW's service worker, and sends them to a sandbox.
 *
 * From this call on, requests wait until the worker is ready, so that none bypasses it; if it can't start, they fail.
 * Await the call before the page renders all the same, since other loads, such as images, don't wait.
 *
 * An address such as `?scenario=down` resets the sandbox and sets up that scenario.
 *
 * MSW doesn't report when a client aborts a request. A pending response then ends when it is due, or when the sandbox
 * is reset.
 *
 * @returns MSW's worker, with its `use()` and `stop()`.
 * @throws {@link InputError} for an invalid option.
 * @throws Error if the worker script is missing, isn't MSW's or is of another major version, or if the page is outside
 * its scope.
 */
export async function startWorker(
  sandbox: Sandbox,
  options: WorkerOptions = {},
): Promise<SetupWorker> {
  const { panel, ...read } = readInput(workerOptions, options)
  const worker = await startHandling(sandbox, read, options.baseUrl)
  if (panel !== false) await showPanel(sandbox, worker, panel === true ? 'not-automated' : panel)
  return worker
}

/** Prints how to disable rate limiting, since developers who get a 429 for the first time may blame the sandbox. */
function hintAtLimits(): void {
  // biome-ignore lint/suspicious/noConsole: it is for the developer of the page.
  console.info(
    "[petstore-sandbox] Limits are enforced as by the real service; to count requests without rejecting any, createSandbox({ rateLimits: 'report-only' })",
  )
}

/** Sets up the scenario that the page's address names, such as `?scenario=down`, in a sandbox as it started. */
function setUpScenario(sandbox: Sandbox): void {
  const named = new URLSearchParams(location.search).get('scenario')
  if (named === null) return
  const known = sandbox.scenarios().map(({ name }) => name)
  const scenario = known.find((name) => name === named)
  if (scenario === undefined) {
    // biome-ignore lint/suspicious/noConsole: it is for the developer of the page, whose parameter it may be.
    console.warn(
      `[petstore-sandbox] Cannot set up the scenario in the address: found "${named}"; use one of ${known.join(', ')}`,
    )
    return
  }
  sandbox.reset()
  sandbox.scenario(scenario)
}

/** Starts the worker; then sends the requests held meanwhile, or fails them if the start failed. */
async function startHandling(
  sandbox: Sandbox,
  { handlers, serviceWorker, persist, quiet, onUnhandledRequest }: StartOptions,
  baseUrl: WorkerOptions['baseUrl'],
): Promise<SetupWorker> {
  const { fetch } = globalThis
  const settle = holdRequests()
  try {
    const changed = persist === undefined ? () => {} : keepState(sandbox, persist)
    setUpScenario(sandbox)
    let isSilent = quiet
    const handle: Handler = async (...given) => {
      const outcome = await sandbox.handle(...given)
      if (!isSilent && outcome.kind === 'response' && outcome.status === 429) {
        isSilent = true
        hintAtLimits()
      }
      changed()
      return outcome
    }
    const target: RequestTarget = {
      handle,
      arrivals: sandbox.arrivals,
      get gaps() {
        return sandbox.gaps
      },
    }
    const script = await readScript(serviceWorker.url, fetch)
    // Loaded late: this entry doesn't exist in hosts without a page, such as a server that renders it.
    const { setupWorker } = await import('msw/browser')
    const worker = setupWorker(...handlers, ...createHandlers(target, { baseUrl }))
    if (script !== undefined) expectSameMajor(script, worker)
    // MSW 2 has the first name, MSW 3 the second.
    const unhandled = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
    await untilControlled(await worker.start({ serviceWorker, quiet, ...unhandled }))
    settle()
    return worker
  } catch (error) {
    settle(new TypeError('Failed to fetch: the worker did not start', { cause: error }))
    throw error
  }
}

/** Shows a panel that is removed when the worker stops. */
async function showPanel(
  sandbox: Sandbox,
  worker: SetupWorker,
  when: PanelOptions['when'],
): Promise<void> {
  const { mountPanel } = await import('../console/panel/mount-panel.ts')
  const panel = mountPanel(sandbox, { when, reload: true })
  const stop = worker.stop.bind(worker)
  worker.stop = () => {
    panel?.remove()
    return stop()
  }
}

function isMswHandler(found: unknown): found is RequestHandler {
  return isRecord(found) && typeof found.run === 'function'
}

/** MSW's worker script. */
interface Script {
  readonly url: string
  readonly version: string
}

/** Reads the worker script; `undefined` if service workers are missing, since MSW then works without them. */
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
    ? `${type}, which is not MSW's worker script`
    : `status ${response.status}`
  throw new Error(
    `Cannot start the worker: found ${found} at ${response.url}; ${remedy}, and set serviceWorker.url if it is elsewhere`,
  )
}

const remedy = 'run "npx msw init <public folder>"'

/**
 * Throws if the script is of another major version than the page's MSW. The two are incompatible, but MSW only warns
 * and may wait forever.
 */
function expectSameMajor({ url, version }: Script, worker: SetupWorker): void {
  const major = 'readyState' in worker ? 3 : 2
  if (version.startsWith(`${major}.`)) return
  throw new Error(
    `Cannot start the worker: the script at ${url} is from MSW ${version}, but the page uses MSW ${major}; ${remedy} to replace it`,
  )
}

/** Waits until the worker controls the page; after a forced reload, it has to take control again. */
async function untilControlled(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  if (registration === undefined || navigator.serviceWorker.controller !== null) return
  if (!location.href.startsWith(registration.scope)) {
    throw new Error(
      `Cannot start the worker: its scope is ${registration.scope}, and ${location.href} is outside it; put the script at the root`,
    )
  }
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
}

/**
 * Holds every `fetch` and asynchronous `XMLHttpRequest` of the page until the returned function is called. That
 * function sends them, or fails them with an error as if there were no network, so that none reaches a real server.
 */
function holdRequests(): (error?: TypeError) => void {
  const { fetch } = globalThis
  const { send } = XMLHttpRequest.prototype
  const held: ((error?: TypeError) => void)[] = []
  let isHolding = true

  const heldFetch: typeof fetch = (input, init) => {
    if (!isHolding) return fetch(input, init)
    return new Promise((resolve, reject) => {
      held.push((error) => (error ? reject(error) : resolve(globalThis.fetch(input, init))))
    })
  }

  function heldSend(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null): void {
    if (isHolding) {
      held.push((error) => {
        if (error) this.dispatchEvent(new ProgressEvent('error'))
        else send.call(this, body)
      })
    } else send.call(this, body)
  }

  globalThis.fetch = heldFetch
  XMLHttpRequest.prototype.send = heldSend
  return (error) => {
    isHolding = false
    // Wrappers added around them meanwhile stay, and call through to them.
    if (globalThis.fetch === heldFetch) globalThis.fetch = fetch
    if (XMLHttpRequest.prototype.send === heldSend) XMLHttpRequest.prototype.send = send
    // Separate microtasks, so that a request that can't be sent doesn't block others.
    for (const settle of held) queueMicrotask(() => settle(error))
  }
}

/** The name of the state in the storage. */
const item = 'petstore-sandbox'

/** Time to collect further changes before saving, in milliseconds. */
const delayMs = 200

/**
 * Restores a sandbox to the state that the browser kept before the reload, and saves its changes, without the request
 * log.
 *
 * Unreadable state is dropped, and the sandbox stays unchanged. A full or forbidden storage is not used any more, and
 * its content is removed, since it would be out of date. Either is reported once on the browser's console.
 *
 * @returns A function to call after each change of the state.
 */
function keepState(sandbox: Sandbox, kind: Output<typeof storageKind>): () => void {
  const name = `${kind}Storage` as const
  let storage: Storage | undefined
  let isWaiting = false

  function restore(text: string): void {
    try {
      sandbox.restore(JSON.parse(text))
    } catch (error) {
      warn(
        `Cannot restore the sandbox's state from ${name}`,
        error,
        'it is dropped, and the sandbox starts over',
      )
      storage?.removeItem(item)
    }
  }

  function save(): void {
    isWaiting = false
    try {
      storage?.setItem(item, JSON.stringify(withoutRequests(sandbox.snapshot())))
    } catch (error) {
      giveUp(error)
    }
  }

  function giveUp(error: unknown): void {
    warn(
      `Cannot keep the sandbox's state in ${name}`,
      error,
      'it stays in memory, and a reload starts over',
    )
    const dropped = storage
    storage = undefined
    dropped?.removeItem(item)
  }

  try {
    storage = globalThis[name]
    const text = storage.getItem(item)
    if (text !== null) restore(text)
  } catch (error) {
    giveUp(error)
  }
  // Immediate, so that an unusable storage is noticed before anything relies on it.
  save()
  addEventListener('pagehide', save)
  return () => {
    if (isWaiting || storage === undefined) return
    isWaiting = true
    setTimeout(save, delayMs)
  }
}

/** Removes the request log from a snapshot, since it fills the storage and is seldom needed after a reload. */
function withoutRequests({ requests, ...state }: Snapshot): unknown {
  return { ...state, requests: { ...(isRecord(requests) ? requests : {}), list: [], changes: [] } }
}

function warn(what: string, error: unknown, then: string): void {
  const why = error instanceof Error ? error.message : String(error)
  // biome-ignore lint/suspicious/noConsole: a page has no other place to say it
  console.warn(`[petstore-sandbox] ${what}: ${why}; ${then}`)
}
