import type { RequestHandler } from 'msw'
import type { SetupWorker } from 'msw/browser'
import type { PanelOptions } from '../console/panel/mount-panel.ts'
import type { Handler, RequestTarget } from '../mock/api/message.ts'
import { list, type Optional, object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, type Output, readInput } from '../mock/input/schema.ts'
import { custom, either, flag, oneOf, text } from '../mock/input/values.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createHandlers } from './msw.ts'
import { baseUrlOption } from './parts/base-url.ts'
import { holdRequests } from './parts/page/hold-requests.ts'
import { keepState, storageKind } from './parts/page/keep-state.ts'
import { expectSameMajor, readScript, untilControlled } from './parts/page/worker-script.ts'

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
