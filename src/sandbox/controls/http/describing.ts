import { firstCommand } from '../../../mock/api/endpoints.ts'
import { controlErrorSchema } from '../../../mock/api/error.ts'
import { openApiDocument } from '../../../mock/api/openapi.ts'
import { packageVersion } from '../../../mock/api/package-version.ts'
import { escapeXml } from '../../../mock/input/input-error.ts'
import { type Properties, view } from '../../../mock/input/object.ts'
import { isRecord } from '../../../mock/input/record.ts'
import { component, hoisted, type JsonSchema } from '../../../mock/input/schema.ts'
import type { SandboxControls } from '../controls.ts'
import {
  bytesText,
  type ControlExamples,
  controlTags,
  type Endpoint,
  type KnownRoute,
  type KnownRoutes,
  nothing,
  routesOn,
} from './route.ts'
import { routes } from './routes.ts'

/** A control in the index. */
interface ListedControl {
  /** Name of the control, such as `keys.update`. */
  readonly name: string
  /** The method, in upper case. */
  readonly method: string
  /** The address; parameters of the path are in braces. */
  readonly url: string
  /** Description in one sentence. */
  readonly summary: string
}

/** Addresses of the APIs of a sandbox and of all controls. */
interface ControlIndex {
  /** Base address of the API, which ends in `/v1`. */
  readonly api: string
  /** Address of the API's OpenAPI description. */
  readonly description: string
  /** Address of the controls' OpenAPI description. */
  readonly controlDescription: string
  /** All controls, in the order of the reference. */
  readonly controls: readonly ListedControl[]
}

/** Returns the list of controls for programs. */
function indexOf(origin: string, routes: KnownRoutes): ControlIndex {
  const root = `${origin}/_sandbox`
  return {
    api: `${origin}/v1`,
    description: `${root}/openapi.json`,
    controlDescription: `${root}/control.openapi.json`,
    controls: Object.entries(routes).map(([name, { method, path, summary }]) => ({
      name,
      method,
      url: path === '/' ? root : root + path,
      summary,
    })),
  }
}

/** Health of a server. */
interface Health {
  /** Always `ok`; a server that has a problem does not respond. */
  readonly status: 'ok'
  /** Version of petstore-sandbox, such as `0.1.0`. */
  readonly version: string
}

/** Controls that only exist over HTTP. */
export interface DescribingControls {
  /** Returns the addresses of the API, of its descriptions, and of all controls. */
  index(): ControlIndex
  /** Returns `ok` and the version, if the server is well. */
  health(): Health
  /** Returns the API's OpenAPI description. */
  openapi(): Readonly<Record<string, unknown>>
  /** Returns the controls' OpenAPI description. */
  controlOpenapi(): Readonly<Record<string, unknown>>
}

const route = routesOn<{ readonly controls: SandboxControls }>('descriptions')

/** Routes that describe the sandbox's APIs. */
export const describingRoutes = {
  index: route('index', {
    summary: 'List the controls, as JSON or as a page',
    description:
      'Returns the addresses of the APIs and of every control; a client that accepts HTML gets a page.',
    query: view({}),
    run: ({ origin, routes }) => indexOf(origin, routes),
    page: indexPage,
  }),
  health: route('health', {
    summary: 'Check that the server is ready',
    description: 'Responds as soon as the server is ready; returns the version of the package.',
    run: (): Health => ({ status: 'ok', version: packageVersion }),
  }),
  openapi: route('openapi', {
    summary: 'Describe the pet store API in OpenAPI 3.1, with the address of this sandbox',
    run: ({ origin }) => openApiDocument(`${origin}/v1`),
  }),
  controlOpenapi: route('controlOpenapi', {
    summary: 'Describe these controls in OpenAPI 3.1',
    run: async ({ origin, routes, examples }) => controlDocument(routes, origin, await examples()),
  }),
} as const

/**
 * Describes controls in OpenAPI 3.1.
 *
 * @param origin Base URL of their sandbox.
 */
function controlDocument(
  routes: KnownRoutes,
  origin: string,
  examples: ControlExamples,
): JsonSchema {
  const used = new Set(Object.values(routes).map(({ tag }) => tag))
  const { document, schemas } = hoisted({
    paths: pathsOf(routes, examples),
    responses: Object.fromEntries(
      Object.values(sharedErrors).map(({ name, description }) => [name, rejection(description)]),
    ),
  })
  const { paths, responses } = isRecord(document) ? document : {}
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of petstore-sandbox',
      version: '1.0.0',
      summary: 'Inspects and changes a sandbox directly, bypassing its API.',
      description: [
        'Bodies are JSON; a request with one needs `Content-Type: application/json`.',
        'A response is shown by an example, in which lists have at most two items.',
        'Integers beyond 2^53 are exact. An error response has an Error body, and changes nothing.',
        '`HEAD` gets the response of `GET`, without the body. Other methods on a known path get 405.',
      ].join(' '),
      contact: { name: 'petstore-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: `${origin}/_sandbox`, description: 'The sandbox that serves this description.' },
    ],
    security: [{}, { controlToken: [] }],
    tags: Object.entries(controlTags)
      .filter(([name]) => [...used].some((one) => one === name))
      .map(([name, description]) => ({ name, description })),
    paths: isRecord(paths) ? paths : {},
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Required if the server listens on more than the loopback, or was started with a token.',
        },
      },
      responses,
      schemas,
    },
  }
}

function pathsOf(routes: KnownRoutes, examples: ControlExamples): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const { path, method } = route
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeControl(name, route, examples.get(name)),
    }
  }
  return paths
}

function rejection(description: string): JsonSchema {
  const schema = { [component]: { name: 'Error', schema: controlErrorSchema } }
  return { description, content: { 'application/json': { schema } } }
}

/** Error responses that all controls share, by status, with their component names and meanings. */
const sharedErrors = {
  400: {
    name: 'BadRequest',
    description: 'A parameter or the body is invalid, or the request cannot be fulfilled now.',
  },
  403: {
    name: 'Forbidden',
    description:
      'The control token is missing or wrong, or the request comes from a page of another site.',
  },
  404: { name: 'NotFound', description: 'Nothing has this id or name.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
} as const

type SharedStatus = keyof typeof sharedErrors

/** Describes a control as an operation of OpenAPI 3.1; named schemas aren't replaced with references yet. */
function describeControl(name: string, route: KnownRoute, example: unknown): JsonSchema {
  const { tag, summary, description, body, params, query, errors } = route
  const takesBody = !Object.is(body, nothing)
  return {
    operationId: operationIdOf(name),
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersIn('path', params.properties),
      ...parametersIn('query', query.properties),
    ],
    ...(takesBody ? { requestBody: requestBodyOf(route) } : {}),
    responses: {
      ...successOf(route, example),
      ...shared(400),
      ...shared(403),
      ...(Object.keys(params.properties).length > 0 ? shared(404) : {}),
      ...(takesBody ? shared(413) : {}),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [status, rejection(description)]),
      ),
    },
  }
}

/** Returns the operation id of a control, such as `clockUpdate` for `clock.update`. */
function operationIdOf(name: string): string {
  return name.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase())
}

function shared(status: SharedStatus): JsonSchema {
  return { [status]: { $ref: `#/components/responses/${sharedErrors[status].name}` } }
}

function parametersIn(place: 'path' | 'query', properties: Properties): JsonSchema[] {
  return Object.entries(properties).map(([name, property]) => {
    const isOptional = 'fallback' in property
    const schema = isOptional ? property.schema : property
    const { description, ...described } = schema.jsonSchema()
    return { name, in: place, required: !isOptional, description, schema: described }
  })
}

function requestBodyOf({ body, maxBytes }: KnownRoute): JsonSchema {
  return {
    description: `At most ${bytesText(maxBytes)}.`,
    required: !('isOptional' in body),
    content: {
      'application/json': {
        schema: body.jsonSchema(),
        ...(body.example === undefined ? {} : { example: JSON.parse(body.example) }),
      },
    },
  }
}

const successes = { 200: 'The response.', 201: 'What was made.' } as const

/** OpenAPI documents, which are no examples of each other. */
const documents: readonly string[] = [routes.openapi.path, routes.controlOpenapi.path]

function successOf({ status, path, isStream, page }: KnownRoute, example: unknown): JsonSchema {
  if (example === undefined) return { 204: { description: 'Done.' } }
  const mediaType = isStream ? 'text/event-stream' : 'application/json'
  return {
    [status]: {
      description: successes[status],
      content: {
        [mediaType]: documents.includes(path) ? {} : { example: shortened(example) },
        ...(page === undefined ? {} : { 'text/html': {} }),
      },
    },
  }
}

/** Leaves two items of each list. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

/** Returns an HTML page with the controls and the state of the sandbox. */
function indexPage(
  { controls, origin }: Endpoint & { readonly controls: SandboxControls },
  routes: KnownRoutes,
): string {
  const { now, mode } = controls.clock.read()
  const rows = Object.values(routes).map(({ method, path, summary }) => {
    const isLink = method === 'GET' && !path.includes('{')
    const shown = escapeXml(path)
    const target = isLink ? `<a href="${escapeXml(origin)}/_sandbox${shown}">${shown}</a>` : shown
    return `<tr><td><b class="${method}">${method}</b></td><td><code>${target}</code></td><td>${escapeXml(summary)}</td></tr>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>petstore-sandbox</title>
<style>${style}</style>
<main>
<h1>petstore-sandbox</h1>
<dl>
<div><dt>API</dt><dd><code>${escapeXml(origin)}/v1</code></dd></div>
<div><dt>Clock</dt><dd>${escapeXml(now)} (${mode})</dd></div>
<div><dt>Pets</dt><dd>${controls.pets.size}</dd></div>
<div><dt>Keys</dt><dd>${controls.keys.list().length}</dd></div>
<div><dt>Faults</dt><dd>${controls.faults.list().length}</dd></div>
<div><dt>Limits</dt><dd>${controls.rateLimits}</dd></div>
</dl>
<p>Try: <code>${escapeXml(firstCommand(`${origin}/v1`, 'free-key'))}</code></p>
<h2>Controls</h2>
<p>They take and return JSON, under <code>${escapeXml(origin)}/_sandbox</code>. They are described by
<a href="${escapeXml(origin)}/_sandbox/control.openapi.json">control.openapi.json</a>,
the API of the store by <a href="${escapeXml(origin)}/_sandbox/openapi.json">openapi.json</a>.</p>
<table>
<thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</main>
</html>
`
}

const style = `
:root {
  color-scheme: light dark; --line: #8884; --soft: #8881;
  --get: #1a5fb4; --post: #1a7034; --change: #855200; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root { --get: #78b7ff; --post: #5fd38d; --change: #e5b567; --delete: #ff8f86; }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem 4rem; }
main { max-width: 60rem; margin: auto; }
h1 { font-size: 1.75rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
dl { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0; }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; background: var(--soft); }
dt { font-size: .8rem; opacity: .75; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
p > code { background: var(--soft); border-radius: .3rem; padding: .15rem .4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th { font-size: .8rem; opacity: .75; }
td b { font: 600 .8rem ui-monospace, monospace; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT, .PATCH { color: var(--change); } .DELETE { color: var(--delete); }
a { color: inherit; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: grid; grid-template-columns: 4rem 1fr; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: 0; }
  td:last-child { grid-column: 1 / -1; }
}
`
