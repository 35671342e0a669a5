import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerCommand, startProcess } from './child.ts'
import { type BenchReply, send } from './exchange.ts'
import { mockoonEnvironment } from './peers/mockoon.ts'
import { withExamples } from './peers/openapi.ts'
import { createPet, listPets, readOpenapi } from './requests.ts'
import { sandboxCommand } from './sandbox-command.ts'

/** Paths of what the contestants answer from. */
export interface ContestantFiles {
  readonly recording: string
  readonly pets: string
  readonly openapi: string
  readonly mockoon: string
  readonly jsonServer: string
}

/** What the bare server answers with. */
export interface Recording {
  readonly list: BenchReply
  readonly create: BenchReply
}

/** Asks a sandbox for its replies, and writes what the others need to answer the same. */
export async function writeContestantFiles(
  folder: string,
): Promise<{ readonly files: ContestantFiles; readonly pets: readonly unknown[] }> {
  const { openapi, ...recording } = await record(sandboxCommand)
  const { list, create } = recording
  const pets: unknown[] = JSON.parse(list.body)
  const pet: unknown = JSON.parse(create.body)
  const write = (name: string, content: unknown): string => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const files = {
    recording: write('recording', recording),
    pets: write('pets', pets),
    openapi: write('openapi', withExamples(openapi.body, pets, pet)),
    mockoon: write('mockoon', mockoonEnvironment(pets)),
    jsonServer: write('json-server', { pets }),
  }
  return { files, pets }
}

/** Asks a sandbox for what the bare server answers, and for its description. */
export async function record(
  command: ServerCommand,
): Promise<Recording & { readonly openapi: BenchReply }> {
  const sandbox = await startProcess(command)
  try {
    return {
      list: await send(sandbox.port, listPets),
      create: await send(sandbox.port, createPet),
      openapi: await send(sandbox.port, readOpenapi),
    }
  } finally {
    await sandbox.stop()
  }
}
