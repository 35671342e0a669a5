import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { evaluated } from './evaluated.ts'

/** Modules of which a build needs only the small tables that they make of large ones. */
const modules = [
  'src/contract/openapi/api-description.ts',
  'src/control/http/description/control-descriptions.ts',
  'src/coverage/cells/cells.ts',
] as const

/** Has all of them evaluated at the build. */
export function evaluatedTables(): Plugin[] {
  return modules.map((path) => evaluated(fileURLToPath(new URL(`../${path}`, import.meta.url))))
}
