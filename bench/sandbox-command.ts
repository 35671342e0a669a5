import { fileURLToPath } from 'node:url'
import type { ServerCommand } from './child.ts'
import { listPets } from './requests.ts'

const bin = fileURLToPath(new URL('../bin/petstore-sandbox', import.meta.url))

/** Starts the sandbox as its users do, with quota that is counted but refuses nothing. */
export const sandboxCommand: ServerCommand = {
  args: (port) => [bin, ...['--port', String(port), '--rate-limit', 'reported', '--log', 'silent']],
  probe: listPets,
}
