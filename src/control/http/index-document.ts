import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { type Given, named } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import type { ControlRoutes } from './control-route.ts'

/** Where the APIs of a sandbox are, and every control. */
export const indexDocument = named(
  'Index',
  object({
    api: string,
    description: string,
    controlDescription: string,
    controls: list(object({ name: string, method: string, url: string, summary: string })),
  }),
)

/** Lists the controls for a program. */
export function indexOf(origin: string, routes: ControlRoutes): Given<typeof indexDocument> {
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
