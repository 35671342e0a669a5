import { fileURLToPath } from 'node:url'
import type { ServerCommand } from './child.ts'
import type { ContestantFiles } from './contestant-files.ts'
import { listPets } from './requests.ts'
import { sandboxCommand } from './sandbox-command.ts'

/** The app that the sandbox is to serve more than. */
export const expressName = 'Express 5, no logic'

/** A server that the benchmark `http` measures. */
export interface Contestant {
  readonly name: string
  readonly kind: 'ours' | 'reference'
  /** The script and its arguments. */
  args(port: number, files: ContestantFiles): readonly string[]
}

/** All contestants; the first is what the others are compared with. */
export const contestants: readonly Contestant[] = [
  {
    name: 'bare node:http',
    kind: 'reference',
    args: (port, { recording }) => [pathOf('servers/bare.js'), String(port), recording],
  },
  {
    name: 'petstore-sandbox',
    kind: 'ours',
    args: sandboxCommand.args,
  },
  {
    name: expressName,
    kind: 'reference',
    args: (port, { pets }) => [pathOf('servers/express.ts'), String(port), pets],
  },
]

/** Starts the bare server with a recording. */
export function bareCommand(recording: string): ServerCommand {
  return {
    args: (port) => [pathOf('servers/bare.js'), String(port), recording],
    probe: listPets,
  }
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
