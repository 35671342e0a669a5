import { ApiError } from '../contract/error.ts'
import type { ProcessControls, SandboxView } from '../control/sandboxes.ts'
import { InputError } from '../input/input-error.ts'
import type { SandboxPool } from '../sandbox-pool.ts'

/**
 * Makes the controls that only a process has: named sandboxes, and saving.
 *
 * @param origin Where the process is served; known once it listens.
 * @param save Saves the state; `undefined` if there is no file for it.
 */
export function createProcessControls(
  pool: SandboxPool,
  origin: () => string,
  save: (() => unknown) | undefined,
): ProcessControls {
  const view = (name: string): SandboxView => ({
    name,
    baseUrl: `${origin()}/sandboxes/${name}/v1`,
    controlUrl: `${origin()}/sandboxes/${name}/_sandbox`,
  })
  return {
    sandboxes: {
      list: () => pool.names().map(view),
      create: (settings = {}) => view(pool.create(settings).name),
      delete: (name) => pool.delete(name),
    },
    async save() {
      if (save === undefined) {
        throw new InputError(
          'Cannot save the state: there is no file for it; start with --state FILE',
        )
      }
      try {
        await save()
      } catch (error) {
        throw new ApiError('internal_error', error instanceof Error ? error.message : String(error))
      }
    },
  }
}
