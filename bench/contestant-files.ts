import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerCommand, startProcess } from './child.ts'
import { createPet, listPets } from './requests.ts'
import { sandboxCommand } from './sandbox-command.ts'
import { type BenchResponse, send } from './send.ts'

/** Paths of what the contestants answer from. */
export interface ContestantFiles {
  readonly recording: string
  readonly pets: string
}

/** What the bare server answers with. */
export interface Recording {
  readonly list: BenchResponse
  readonly create: BenchResponse
}

/** Asks a sandbox for its replies, and writes what the others need to answer the same. */
export async function writeContestantFiles(
  folder: string,
): Promise<{ readonly files: ContestantFiles; readonly pets: readonly unknown[] }> {
  const recording = await record(sandboxCommand)
  const { list } = recording
  const pets: unknown[] = JSON.parse(list.body)
  const write = (name: string, content: unknown): string => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const files = {
    recording: write('recording', recording),
    pets: write('pets', pets),
  }
  return { files, pets }
}

/** Asks a sandbox for what the bare server answers. */
export async function record(command: ServerCommand): Promise<Recording> {
  const sandbox = await startProcess(command)
  try {
    return {
      list: await send(sandbox.port, listPets),
      create: await send(sandbox.port, createPet),
    }
  } finally {
    await sandbox.stop()
  }
}
