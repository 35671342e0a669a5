import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { basePath } from '../mock/api/endpoints.ts'
import { object, optional, withDefault } from '../mock/input/object.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { flag } from '../mock/input/values.ts'
import { sandboxOptions } from '../mock/state/beginning.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { createMiddleware, type MiddlewareRequest } from './express.ts'
import { apiPath } from './parts/base-url.ts'

const pluginOptions = object({
  /** Path of the API in both servers; `/v1` by default. */
  path: withDefault(apiPath, basePath),
  /** Options of the sandbox, as for `createSandbox()`; it starts anew whenever Vite does. */
  sandbox: optional(sandboxOptions),
  /**
   * Whether to serve MSW's worker script at `/mockServiceWorker.js` instead, for a page that calls `startWorker()`;
   * `false` by default.
   */
  worker: withDefault(flag, false),
})

/** Options of {@link petstore}. */
export interface PetstoreOptions extends Input<typeof pluginOptions> {}

/** The part of Vite's dev and preview server that the plugin uses. */
interface ViteServer {
  /** Resolved configuration. */
  readonly config: {
    /** Folder of the project. */
    readonly root: string
    /** Base path of the pages. */
    readonly base: string
  }
  /** Middlewares that run before Vite's own. */
  readonly middlewares: {
    /** Adds a middleware at a path. */
    use(
      path: string,
      handle: (
        req: MiddlewareRequest,
        res: ServerResponse,
        next: (error?: unknown) => void,
      ) => void,
    ): unknown
  }
}

/** A plugin for Vite, of any version that has a preview server. */
export interface PetstorePlugin {
  /** Name of the plugin: `petstore-sandbox`. */
  readonly name: string
  /** Adds the API, or the worker's script, to the dev server. */
  readonly configureServer: (server: ViteServer) => void
  /** Adds the same to the preview server. */
  readonly configurePreviewServer: (server: ViteServer) => void
}

/**
 * Creates a plugin with which Vite's dev and preview server respond to API requests of pages, server-side rendering and
 * `curl`, without a service worker. With `worker: true`, they serve MSW's worker script instead. Builds don't change.
 *
 * @throws {@link InputError} for an invalid option.
 */
export function petstore(options: PetstoreOptions = {}): PetstorePlugin {
  const { path, worker } = readInput(pluginOptions, options)
  const serve = worker ? serveWorkerScript : serveApi(path, options.sandbox ?? {})
  return { name: 'petstore-sandbox', configureServer: serve, configurePreviewServer: serve }
}

function serveApi(path: string, options: NonNullable<PetstoreOptions['sandbox']>) {
  const respond = createMiddleware(createSandbox(options))
  return ({ middlewares }: ViteServer): void => {
    middlewares.use(path, respond)
  }
}

const scriptName = 'mockServiceWorker.js'

/** Serves the script of the project's own MSW, whichever version that is. */
function serveWorkerScript({ config, middlewares }: ViteServer): void {
  const require = createRequire(join(config.root, 'package.json'))
  middlewares.use(`${config.base}${scriptName}`, (_, res, next) => {
    try {
      const text = readFileSync(require.resolve(`msw/${scriptName}`), 'utf8')
      res.setHeader('Content-Type', 'text/javascript').end(text)
    } catch (error) {
      next(error)
    }
  })
}
