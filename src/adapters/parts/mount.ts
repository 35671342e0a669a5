import { InputError, show } from '../../input/input-error.ts'

/**
 * Reads a path that is to stand for `/v1`, and gives it without a slash at its end.
 *
 * @throws {@link InputError}
 */
export function parseMount(path: string): string {
  if (/^\/[^?#\s]*$/.test(path)) return path.replace(/\/+$/, '')
  throw new InputError(
    `Cannot set the base path: found ${show(path)}; use a path such as /v1 or /api/v1`,
  )
}
