import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchRequest, type BenchResponse, send } from './send.ts'
import { type ServerCommand, startProcess } from './server-process.ts'

const authorization = { Authorization: 'Bearer enterprise-key' }

/** Lists a page of 20 (spec 4.1). */
export const listPets: BenchRequest = {
  method: 'GET',
  url: '/v1/pets?limit=20',
  headers: authorization,
  body: '',
}

/** Adds a pet (spec 4.2). */
export const createPet: BenchRequest = {
  method: 'POST',
  url: '/v1/pets',
  headers: { ...authorization, 'Content-Type': 'application/json' },
  body: '{"name":"Rex","categoryId":1,"status":"available"}',
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** Starts the sandbox as its users do, with quotas that are counted but reject nothing. */
export function sandboxCommand(...options: readonly string[]): ServerCommand {
  const bin = pathOf('../bin/petstore-sandbox')
  return {
    args: (port) => [bin, '--port', String(port), '--rate-limits', 'report-only', ...options],
    probe: listPets,
  }
}

/** Starts a server that only says hello. */
export const helloCommand: ServerCommand = {
  args: (port) => [pathOf('servers/hello.js'), String(port)],
  probe: listPets,
}

/** What the bare server answers with. */
export interface Recording {
  readonly list: BenchResponse
  readonly create: BenchResponse
}

/** The servers that the benchmark `http` measures, and the pets that each lists. */
export interface Contestants {
  readonly commands: Readonly<Record<'bare' | 'express' | 'silent' | 'logging', ServerCommand>>
  readonly pets: unknown
}

/** Asks a sandbox for its responses, so that the bare server can answer the same. */
export async function recordContestants(folder: string): Promise<Contestants> {
  const silent = sandboxCommand('--log', 'silent')
  const sandbox = await startProcess(silent)
  const list = await send(sandbox.port, listPets)
  const create = await send(sandbox.port, createPet)
  await sandbox.stop()
  const recording: Recording = { list, create }
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const recordingFile = write('recording.json', JSON.stringify(recording))
  const petsFile = write('pets.json', list.body)
  const command = (file: string, data: string): ServerCommand => ({
    args: (port) => [pathOf(file), String(port), data],
    probe: listPets,
  })
  return {
    commands: {
      bare: command('servers/bare.js', recordingFile),
      express: command('servers/express.js', petsFile),
      silent,
      logging: { ...sandboxCommand(), output: join(folder, 'log') },
    },
    pets: JSON.parse(list.body),
  }
}
