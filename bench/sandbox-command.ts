import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerCommand } from './child.ts'
import { listPets } from './requests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts the sandbox as its users do, with quota that is counted but refuses nothing. */
export const sandboxCommand: ServerCommand = sandboxCommandWith('--log', 'silent')

/** Starts the sandbox so, with other options. */
export function sandboxCommandWith(...options: readonly string[]): ServerCommand {
  return sandboxCommandIn(root, ...options)
}

/** Starts the sandbox so, from another folder of the package. */
export function sandboxCommandIn(folder: string, ...options: readonly string[]): ServerCommand {
  const bin = join(folder, 'bin/petstore-sandbox')
  return {
    args: (port) => [bin, '--port', String(port), '--rate-limit', 'reported', ...options],
    probe: listPets,
  }
}
