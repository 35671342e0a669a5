import { fileURLToPath } from 'node:url'
import type { ServerCommand } from './child.ts'
import type { ContestantFiles } from './contestant-files.ts'
import { listPets } from './requests.ts'
import { sandboxCommand } from './sandbox-command.ts'

/** The app that the sandbox is to serve a fifth more than. */
export const expressName = 'Express 5, no logic'

/** A server that the benchmark `http` measures. */
export interface Contestant {
  readonly name: string
  /** Peers are installed with the benchmark; the others are references. */
  readonly kind: 'ours' | 'reference' | 'peer'
  /** The script and its arguments. */
  args(port: number, files: ContestantFiles): readonly string[]
  /** Where it has `GET /v1/pets?limit=20` and `POST /v1/pets`. */
  readonly listUrl: string
  readonly createUrl: string
}

const ownUrls = { listUrl: '/v1/pets?limit=20', createUrl: '/v1/pets' }

/** All contestants; the first is what the others are compared with. */
export const contestants: readonly Contestant[] = [
  {
    name: 'bare node:http',
    kind: 'reference',
    args: (port, { recording }) => [pathOf('servers/bare.js'), String(port), recording],
    ...ownUrls,
  },
  {
    name: 'petstore-sandbox',
    kind: 'ours',
    args: sandboxCommand.args,
    ...ownUrls,
  },
  {
    name: 'node:http, replay',
    kind: 'reference',
    args: (port, { recording }) => [pathOf('servers/bare.js'), String(port), recording, 'replay'],
    ...ownUrls,
  },
  {
    name: expressName,
    kind: 'reference',
    args: (port, { pets }) => [pathOf('servers/express.ts'), String(port), pets],
    ...ownUrls,
  },
  {
    name: 'Mockoon CLI',
    kind: 'peer',
    args: (port, { mockoon }) => [
      pathOf('node_modules/@mockoon/cli/bin/run.js'),
      ...['start', '--data', mockoon, '--port', String(port), '--hostname', '127.0.0.1'],
      ...['--disable-log-to-file', '--disable-admin-api', '--repair'],
    ],
    ...ownUrls,
  },
  {
    name: 'json-server',
    kind: 'peer',
    args: (port, { jsonServer }) => [
      pathOf('node_modules/json-server/lib/cli/bin.js'),
      ...[jsonServer, '--port', String(port), '--host', '127.0.0.1', '--quiet'],
    ],
    listUrl: '/pets?_limit=20',
    createUrl: '/pets',
  },
  {
    name: 'Prism',
    kind: 'peer',
    args: (port, { openapi }) => [
      pathOf('node_modules/@stoplight/prism-cli/dist/index.js'),
      ...['mock', openapi, '--port', String(port), '--verboseLevel', 'silent'],
    ],
    listUrl: '/pets?limit=20',
    createUrl: '/pets',
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
