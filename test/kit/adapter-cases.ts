import type { FaultSettings } from '../../src/index.ts'
import type {
  ApiRequest,
  ApiResponse,
  Handler,
  Headers,
  Outcome,
} from '../../src/mock/api/message.ts'
import type { SandboxOptions } from '../../src/mock/state/beginning.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { conformanceCases, createSandboxFor, play } from './conformance-cases.ts'
import { frozenSandbox } from './frozen-sandbox.ts'
import { requestOf, type TestRequest } from './send.ts'

/** Something to send through every adapter, each time to a new sandbox. */
export interface AdapterCase {
  readonly name: string
  /** All requests that are sent. */
  readonly requests: readonly ApiRequest[]
  readonly createSandbox: () => Sandbox
  /** Sends them, and gives what became of the last one. */
  readonly play: (sandbox: Sandbox, handle: Handler) => Promise<Outcome>
  /** The reply that its fixture records; without one, the engine's own reply counts. */
  readonly fixture?: ApiResponse
  readonly fault?: FaultSettings['fault']
}

/** A way in to a sandbox. */
export interface Adapter {
  readonly name: AdapterName
  /** Opens it on a sandbox. */
  open(sandbox: Sandbox): Promise<OpenAdapter>
}

/** An adapter that is open. */
interface OpenAdapter {
  /** Sends a request through it; the reply is as a client gets it, its body read as UTF-8. */
  readonly handle: Handler
  close(): Promise<void>
}

/** The ways in to a sandbox that a client has. */
export type AdapterName =
  | 'direct'
  | 'Fetch'
  | 'MSW in Node'
  | 'MSW in jsdom'
  | 'MSW in happy-dom'
  | 'MSW in Chromium'
  | 'Express'
  | 'Playwright route'

/** The engine itself. */
export const direct: Adapter = {
  name: 'direct',
  open: async ({ handle }) => ({ handle, close: async () => {} }),
}

/** Where an adapter is not as the others, and why. */
export interface Difference {
  readonly adapters: readonly AdapterName[]
  /** What is different, as a sentence on these adapters. */
  readonly difference: string
  readonly reason: string
  /** Whether a request is one that shows it; left out for how an outcome arrives, which the adapter's own tests check. */
  readonly shows?: (request: ApiRequest) => boolean
}

const simulated: readonly AdapterName[] = ['MSW in jsdom', 'MSW in happy-dom']
const mswInNode: readonly AdapterName[] = ['MSW in Node', ...simulated]
const throughMsw: readonly AdapterName[] = [...mswInNode, 'MSW in Chromium']
const throughFetch: readonly AdapterName[] = ['Fetch', ...throughMsw, 'Playwright route']
const inChromium: readonly AdapterName[] = ['MSW in Chromium', 'Playwright route']

/** Every difference between the adapters; what shows none of them is answered alike, byte for byte. */
export const differences: readonly Difference[] = [
  {
    adapters: throughFetch,
    difference:
      'get paths and queries as in URLs: no dot segments or fragments, other characters escaped',
    reason: 'Fetch resolves URLs before it sends them',
    shows: ({ url }) => !isInFormOfUrls(url),
  },
  {
    adapters: throughFetch,
    difference:
      'get no TRACE and CONNECT, no body with GET and HEAD, and common methods in upper case',
    reason: 'Fetch makes no such request, or sets it right',
    shows: ({ method, body }) =>
      /^(?:TRACE|TRACK|CONNECT|.*[a-z].*)$/.test(method) || (isReading(method) && body !== ''),
  },
  {
    adapters: [...throughMsw, 'Playwright route'],
    difference: 'respond only to requests under the base URL',
    reason: 'other addresses are not theirs to answer',
    shows: ({ url }) => !/^\/v1(?:[/?]|$)/.test(url),
  },
  {
    adapters: throughMsw,
    difference: 'send a request whose Accept is msw/passthrough to the network',
    reason: 'it is how MSW marks requests of bypass()',
    shows: ({ headers }) => headers.accept?.includes('msw/passthrough') === true,
  },
  {
    adapters: mswInNode,
    difference: 'send a request with a method that Node does not know to the network',
    reason: 'MSW 3 looks into a connection only where it finds such a method',
    shows: ({ method }) => !isKnownToNode(method),
  },
  {
    adapters: ['Express'],
    difference:
      'returns 400 to a method that Node does not know, and to characters beyond ASCII in a path',
    reason: "Node's parser rejects them before they become a request",
    shows: ({ method, url }) => !isKnownToNode(method) || !/^[!-~]*$/.test(url),
  },
  {
    adapters: ['Express'],
    difference: 'closes the connection after its response to CONNECT',
    reason: 'what a client sends next would be for the far end of the tunnel',
    shows: ({ method }) => method === 'CONNECT',
  },
  {
    adapters: ['Express'],
    difference: 'responds under /_sandbox and /sandboxes, too',
    reason: 'a process is controlled from there; in process there is the sandbox itself',
    shows: ({ url }) => /^\/(?:_sandbox|sandboxes)(?:[/?]|$)/.test(url),
  },
  {
    adapters: ['Fetch'],
    difference:
      'adds no Access-Control-* headers to the response if a request has an Origin, as createMiddleware() for Express adds none: the gaps cors and exposedHeaders change nothing there',
    reason:
      'around createFetchHandler(), CORS is up to the host, as it is around createMiddleware()',
    shows: ({ headers }) => headers.origin !== undefined,
  },
  {
    adapters: simulated,
    difference:
      'send only GET, HEAD and POST to an API of another origin, and hide the header Allow of its responses',
    reason: 'these pages keep to what CORS allows, as they would with the process',
    shows: ({ method, url }) =>
      !(isReading(method) || method === 'POST') ||
      (method === 'POST' && !/^\/v1\/pets(?:\?|$)/.test(url)),
  },
  {
    adapters: ['MSW in happy-dom'],
    difference: 'fails if a header is named like a property of objects, such as constructor',
    reason: 'its Headers look names up in a plain object',
    shows: ({ headers }) => Object.keys(headers).some((name) => name in {}),
  },
  {
    adapters: [...simulated, ...inChromium],
    difference: 'get no header that a page may not set, such as Origin or Expect',
    reason: 'browsers set these themselves',
    shows: ({ headers }) =>
      Object.keys(headers).some((name) =>
        /^(?:origin|expect|host|connection|te|upgrade|cookie|accept-encoding|content-length|proxy-.*|sec-.*)$/.test(
          name,
        ),
      ),
  },
  {
    adapters: ['MSW in Chromium'],
    difference: 'keeps an aborted request open until its response is due or the sandbox is reset',
    reason: "MSW doesn't tell the page when a client gives up",
  },
  {
    adapters: inChromium,
    difference: 'get only the last response of a redirect, which the browser follows',
    reason: 'a page sees no redirect of a request to its own origin',
    shows: ({ url }) => /^\/v1\/[^?]*\/(?:\?|$)/.test(url),
  },
  {
    adapters: ['Playwright route'],
    difference: 'sends a slow body whole at its end',
    reason: 'Playwright can send only whole responses',
  },
]

/** Header fields that belong to a connection, not to the reply; a length is checked against the body. */
const headersOfHosts = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

/** Returns the cases to send through an adapter: all for Express; for the others, cases of every form that one can change. */
export function casesOf(adapter: AdapterName): readonly AdapterCase[] {
  const fitting = adapterCases.filter((one) => fits(one, adapter))
  if (adapter === 'Express') return fitting
  const chosen: AdapterCase[] = []
  let left = fitting.map((one) => ({ one, unseen: traitsOf(one) }))
  for (;;) {
    const [first, ...others] = left.sort((a, b) => b.unseen.size - a.unseen.size)
    if (first === undefined || first.unseen.size === 0) return chosen
    chosen.push(first.one)
    left = others.map(({ one, unseen }) => ({
      one,
      unseen: new Set([...unseen].filter((trait) => !first.unseen.has(trait))),
    }))
  }
}

/** Returns what an adapter can change of a case: the forms of target, method, headers and bodies, and a recorded status. */
function traitsOf({ requests, fixture, fault }: AdapterCase): ReadonlySet<string> {
  const { method, url, headers, body } = requests.at(-1) ?? requestOf({})
  return new Set([
    `${method} with ${body === '' ? 'no body' : 'a body'}`,
    ...(url.match(/%[0-9a-f]|[^\w/]/gi) ?? []).map((part) => `target with ${part}`),
    `fault ${fault}`,
    `target of ${url.length > 1_000 ? 'many' : 'few'} characters`,
    ...[...headerTraits(headers), ...bodyTraits(body)].map((trait) => `request with ${trait}`),
    ...(fixture === undefined
      ? []
      : [
          `status ${fixture.status} with ${fixture.body === '' ? 'no body' : 'a body'}`,
          ...[...headerTraits(fixture.headers), ...bodyTraits(fixture.body)].map(
            (trait) => `reply with ${trait}`,
          ),
        ]),
  ])
}

function headerTraits(headers: Headers): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    `header ${name}`,
    `header value with ${charactersIn(value)}`,
  ])
}

function bodyTraits(body: string): readonly string[] {
  if (body === '') return ['no body']
  const size = `${body.length}`.length
  return [`body of ${size} digits of characters`, `body with ${charactersIn(body)}`]
}

function charactersIn(text: string): string {
  const forms = [/\p{Cc}/u, /\ufeff/, /\p{Cs}/u, /[\u00a0-\u00ff]/, /[\u{10000}-\u{10ffff}]/u]
  return `characters of ${forms.filter((form) => form.test(text)).join(' and ')}`
}

/** Whether a case goes through an adapter as it is. */
function fits({ requests }: AdapterCase, adapter: AdapterName): boolean {
  const those = differences.filter(({ adapters }) => adapters.includes(adapter))
  return !requests.some((request) => those.some(({ shows }) => shows?.(request)))
}

/**
 * Sends a case through an adapter to a new sandbox, and gives the reply without what belongs to hosts.
 *
 * @throws Error when the reply declares another length than it has.
 */
export async function answerThrough(adapter: Adapter, one: AdapterCase): Promise<ApiResponse> {
  const sandbox = one.createSandbox()
  const open = await adapter.open(sandbox)
  try {
    return withoutHost(await one.play(sandbox, open.handle), one)
  } finally {
    await open.close()
  }
}

/** Returns the reply that every adapter has to give to a case: that of its fixture, or the engine's own. */
export async function expectedReply(one: AdapterCase): Promise<ApiResponse> {
  return one.fixture === undefined
    ? await answerThrough(direct, one)
    : withoutHost(one.fixture, one)
}

function withoutHost(outcome: Outcome, { requests }: AdapterCase): ApiResponse {
  const method = requests.at(-1)?.method
  if (outcome.kind !== 'response')
    throw new Error(`Cannot compare: the outcome is a ${outcome.kind}`)
  const length = outcome.headers['content-length']
  const bytes = new TextEncoder().encode(outcome.body).byteLength
  if (length !== undefined && Number(length) !== bytes && method !== 'HEAD') {
    throw new Error(`Cannot compare: the reply declares ${length} bytes and has ${bytes}`)
  }
  const ignored = method === 'HEAD' ? headersOfHosts.slice(0, -1) : headersOfHosts
  const headers = Object.entries(outcome.headers).filter(([name]) => !ignored.includes(name))
  return { ...outcome, headers: Object.fromEntries(headers) }
}

/** Makes a Fetch request of the engine's, for an API at an origin. */
export function fetchRequest({ method, url, headers, body }: ApiRequest, origin: string): Request {
  const init = { method, headers: { ...headers }, redirect: 'manual' } as const
  return new Request(`${origin}${url}`, body === '' ? init : { ...init, body: encodeBody(body) })
}

/** Reads a Fetch response as a reply. */
export async function replyOf(response: Response): Promise<ApiResponse> {
  const body = decodeReply(new Uint8Array(await response.arrayBuffer()))
  const headers: Headers = Object.fromEntries(response.headers)
  return { kind: 'response', status: response.status, headers, body }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the body of a reply, strictly, so that what reads alike is the same bytes. */
export function decodeReply(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Writes the body of a request; a lone surrogate stands for a byte that is not UTF-8. */
export function encodeBody(body: string): Uint8Array<ArrayBuffer> {
  const parts = body.split(/([\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff])/)
  const bytes = parts.map((part) =>
    /^[\ud800-\udfff]$/.test(part) ? Uint8Array.of(0xff) : new TextEncoder().encode(part),
  )
  const all = new Uint8Array(bytes.reduce((length, part) => length + part.byteLength, 0))
  let offset = 0
  for (const part of bytes) {
    all.set(part, offset)
    offset += part.byteLength
  }
  return all
}

function isKnownToNode(method: string): boolean {
  return /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|PURGE)$/.test(method)
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isInFormOfUrls(url: string): boolean {
  const origin = 'http://adapter.test'
  return (
    URL.canParse(`${origin}${url}`) &&
    new URL(`${origin}${url}`).href === `${origin}${url}` &&
    !url.includes('#')
  )
}

/** A case of one request to a sandbox whose clock stands still. */
function single(
  name: string,
  request: TestRequest,
  options: SandboxOptions = {},
  prepare: (sandbox: Sandbox) => void = () => {},
): AdapterCase {
  const whole = requestOf(request)
  return {
    name,
    requests: [whole],
    createSandbox: () => frozenSandbox(options),
    play(sandbox, handle) {
      prepare(sandbox)
      return handle(whole)
    },
  }
}

const fromConformance: readonly AdapterCase[] = conformanceCases.map((one) => ({
  name: `${one.clause} ${one.name}`,
  requests: [
    ...(one.before ?? []).flatMap((step) => (step.kind === 'send' ? [step.request] : [])),
    one.request,
  ],
  // Its choices are made later than those of conformance.test.ts.
  createSandbox() {
    const { gaps = {}, ...rest } = one
    const sandbox = createSandboxFor(rest)
    sandbox.setGaps(gaps)
    return sandbox
  },
  play: (sandbox, handle) => play(one, sandbox, handle),
  fixture: { kind: 'response', ...one.response },
}))

const heads: readonly AdapterCase[] = [
  { url: '/v1/pets' },
  { url: '/v1/pets?limit=1&status=sold' },
  { url: '/v1/pets?limit=0' },
  { url: '/v1/pets/1' },
  { url: '/v1/pets/999' },
  { url: '/v1/store/orders' },
  { url: '/v1/nowhere' },
  { url: '/v1/pets', key: null },
  { url: '/v1/pets', key: 'minute-exhausted-key' },
  { url: '/v1/pets', key: 'banned-key' },
].map((request) =>
  single(`HEAD ${request.url}, key ${request.key}`, { method: 'HEAD', ...request }),
)

const oddPaths: readonly AdapterCase[] = [
  '/v1',
  '/v1/',
  '/v1?limit=1',
  '/v1//pets',
  '/v1/pets/',
  '/v1/pets//',
  '/v1/pets//1',
  '/v1/pets/%zz',
  '/v1/pets/%',
  '/v1/pets/%2',
  '/v1/pets/%00',
  '/v1/pets/%31',
  '/v1/pets/1%2F2',
  '/v1/pets/1%3Flimit=1',
  '/v1/pets/%F0%9F%90%95',
  '/v1/pets/%ff%fe',
  '/v1/pets/1;limit=1',
  '/v1/pets/1,2',
  '/v1/pets/1?',
  '/v1/pets?',
  '/v1/pets??limit=1',
  '/v1/pets?limit=1&&limit=',
  '/v1/pets?limit=%31',
  '/v1/pets?limit=+1',
  '/v1/pets?limit=1?status=sold',
  '/v1/pets?limit=%zz',
  '/v1/pets?limit[]=1',
  '/v1/pets?status=so%6Cd',
  '/v1/pets?status=%F0%9F%90%95',
  '/v1/pets?__proto__=1&constructor=2',
  `/v1/pets?${'a=1&'.repeat(2000)}limit=1`,
  `/v1/pets/${'9'.repeat(5000)}`,
  '/v1/pets/9223372036854775807',
  '/v1/pets/-9223372036854775809',
  '/v1/pets/__proto__',
  '/v1/pets/constructor',
  '/v1/*',
  '/v1/:petId',
  '/v1/pets/(.*)',
  '/v1/pets/:id?',
  '/v1/mockServiceWorker.js',
  '/V1/pets',
  '/v1/Pets',
  '/v1x/pets',
  '/v10/pets',
  '/pets',
  '/',
  '//v1/pets',
  '//',
  '/v1/./pets',
  '/v1/../v1/pets',
  '/v1/%2e%2e/v1/pets',
  '/v1/pets/..',
  '/v1\\pets',
  '/v1/pets/<script>alert(1)</script>',
  '/v1/pets/"',
  "/v1/pets/'",
  "/v1/pets?status='",
  '/v1/pets/é',
  '/v1/pets#fragment',
  '/_sandbox',
  '/_sandbox/reset',
  '/sandboxes/mine/v1/pets',
].map((url) =>
  single(`GET ${url.length > 60 ? `${url.slice(0, 60)}… (${url.length})` : url}`, { url }),
)

const oddMethods: readonly AdapterCase[] = [
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'TRACE', 'CONNECT', 'PETS', 'post'],
].flatMap((method) =>
  ['/v1/pets', '/v1/pets/1', '/v1/nowhere'].map((url) =>
    single(`${method} ${url}`, { method, url }),
  ),
)

const withBody: readonly AdapterCase[] = [
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
    single(`${method} with a body`, { method, body: '{"name":"Rex"}' }),
  ),
  single('POST to a pet, with a body', {
    url: '/v1/pets/1',
    json: '{"name":"Rex","categoryId":1}',
  }),
  single('GET with a body', { body: '{"name":"Rex"}' }),
]

const oddHeaders: readonly AdapterCase[] = [
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer  free-key' },
  { authorization: 'bEARER free-key' },
  { authorization: 'Basic ZnJlZS1rZXk=' },
  { authorization: 'Bearer free-key, Bearer pro-key' },
  { authorization: 'Bearer free-key pro-key' },
  { authorization: 'Bearer é' },
  { authorization: `Bearer ${'x'.repeat(9000)}` },
  { 'x-api-key': 'free-key' },
  { authorization: 'Bearer free-key', accept: 'text/html' },
  { authorization: 'Bearer free-key', accept: 'msw/passthrough' },
  { authorization: 'Bearer free-key', origin: 'https://shop.example' },
  { authorization: 'Bearer free-key', 'x-http-method-override': 'DELETE' },
  { authorization: 'Bearer free-key', 'if-none-match': '*' },
  { authorization: 'Bearer free-key', range: 'bytes=0-1' },
  { authorization: 'Bearer free-key', 'x-msw-intention': 'passthrough' },
  { authorization: 'Bearer free-key', 'x-forwarded-for': '8.8.8.8', forwarded: 'for=8.8.8.8' },
  { authorization: 'Bearer free-key', constructor: 'x', 'x-odd': 'é\tü' },
].map((headers: Headers) => {
  const shown = JSON.stringify(headers)
  return single(`GET with ${shown.length > 90 ? `${shown.slice(0, 90)}…` : shown}`, {
    key: null,
    headers,
  })
})

const newPet = '{"name":"Rex","categoryId":1}'

const oddTypes: readonly AdapterCase[] = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON;CHARSET=UTF-8',
  'application/json;charset=latin1',
  'application/json, text/plain',
  'application/vnd.api+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'json',
].map((type) => single(`POST as ${type}`, { json: newPet, headers: { 'content-type': type } }))

const oddBodies: readonly AdapterCase[] = Object.entries({
  nothing: '',
  'a space': ' ',
  'half an object': '{"name":',
  'an array': '[]',
  null: 'null',
  'a string': '"Rex"',
  'a number': '1e999',
  'two objects': `${newPet}${newPet}`,
  'a byte order mark': `\ufeff${newPet}`,
  'a byte that is not UTF-8': '{"name":"\udfff","categoryId":1}',
  'escaped surrogates': '{"name":"\\ud800","categoryId":1}',
  'characters of every length': '{"name":"aß€🐕\u2028\\u0000","categoryId":1}',
  'a name of control characters': '{"name":"\\u0001\\r\\nX-Injected: 1","categoryId":1}',
  'a raw line end in a string': '{"name":"a\nb","categoryId":1}',
  'names of prototypes': '{"__proto__":{"name":"Rex"},"constructor":1,"name":"Rex","categoryId":1}',
  'a name twice': '{"name":"Rex","name":"Max","categoryId":1}',
  'the largest int64': '{"name":"Rex","categoryId":9223372036854775807}',
  'more than int64': '{"name":"Rex","categoryId":9223372036854775808}',
  'an exponent': '{"name":"Rex","categoryId":1e2}',
  'minus zero': '{"name":"Rex","categoryId":-0}',
  'deep arrays': `${'['.repeat(100_000)}`,
  'a long name': `{"name":"${'é'.repeat(1_000)}","categoryId":1}`,
  'one MiB': newPet.padEnd(1_048_576),
  'one MiB and a byte': newPet.padEnd(1_048_577),
  'more than one MiB, and no UTF-8': '\udfff'.padEnd(1_048_578),
  'three MiB': newPet.padEnd(3 * 1_048_576),
}).map(([name, body]) => single(`POST of ${name}`, { json: body }))

const faults: readonly AdapterCase[] = [
  { fault: 'status', status: 503 } as const,
  { fault: 'rate-limit' } as const,
  { fault: 'malformed-json' } as const,
].map((settings) => ({
  ...single(`a ${settings.fault} fault`, {}, {}, ({ faults }) => faults.add(settings)),
  fault: settings.fault,
}))

/** Cases of forms that the conformance pairs don't have. */
export const oddCases: readonly AdapterCase[] = [
  ...heads,
  ...oddPaths,
  ...oddMethods,
  ...withBody,
  ...oddHeaders,
  ...oddTypes,
  ...oddBodies,
  ...faults,
]

/** What is sent through the adapters. */
export const adapterCases: readonly AdapterCase[] = [...fromConformance, ...oddCases]
