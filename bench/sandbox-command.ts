import { fileURLToPath } from 'node:url'
import type { ServerCommand } from './child.ts'
import { listPets } from './requests.ts'

const bin = fileURLToPath(new URL('../bin/petstore-sandbox', import.meta.url))

/** Starts the sandbox as its users do, with quotas that are counted but reject nothing. */
export const sandboxCommand: ServerCommand = sandboxCommandWith('--log', 'silent')

/** Starts the sandbox so, with other options. */
export function sandboxCommandWith(...options: readonly string[]): ServerCommand {
  return {
    args: (port) => [bin, '--port', String(port), '--rate-limits', 'report-only', ...options],
    probe: listPets,
  }
}
