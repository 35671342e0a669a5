import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { type CliResult, program, testFolder } from './cli-process.ts'

/** The address that documents show; commands are run against another. */
const shownUrl = 'http://127.0.0.1:7387'

const folder = new URL('../readme/shell/', import.meta.url)

/** Reads the commands that a document shows. */
export function commandsIn(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}

const testScript = `
const { PETSTORE_URL: url, PETSTORE_KEY: key } = process.env
console.log(url, key)
await (await fetch(url + '/pets?limit=100', { headers: { authorization: 'Bearer ' + key } })).text()
`

/** Writes a package whose tests say where the sandbox is, and ask it for pets. */
export function writeTests(folder: string): void {
  writeFileSync(join(folder, 'test.mjs'), testScript)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { test: 'node test.mjs' } }),
  )
}

/** A shell in which the program is a command, as where the package is installed. */
export class Shell {
  readonly folder: string = testFolder()
  readonly #env: NodeJS.ProcessEnv
  readonly #url: string

  /** @param url Where the sandbox is served that commands are for. */
  constructor(url: string = shownUrl, env: Readonly<Record<string, string>> = {}) {
    const programs = join(this.folder, 'node_modules/.bin')
    mkdirSync(programs, { recursive: true })
    symlinkSync(program, join(programs, 'petstore-sandbox'))
    // Finds the program as npx does, and never asks a registry.
    writeFileSync(join(programs, 'npx'), '#!/bin/sh\nexec "$@"\n')
    // Nor opens anybody's browser.
    for (const opener of ['open', 'xdg-open']) {
      writeFileSync(join(programs, opener), '#!/bin/sh\nexit 0\n')
    }
    for (const name of ['npx', 'open', 'xdg-open']) chmodSync(join(programs, name), 0o755)
    const path = [programs, dirname(process.execPath), process.env.PATH].join(delimiter)
    this.#env = {
      ...childEnvironment,
      HOME: this.folder,
      PATH: path,
      PETSTORE_SANDBOX_URL: url,
      ...env,
    }
    this.#url = url
  }

  /** Starts commands, as bash reads them. */
  start(commands: string) {
    const text = commands.replaceAll(shownUrl, this.#url)
    const { folder: cwd } = this
    return spawn('bash', ['--norc', '-euc', text], {
      cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Runs commands to their end. */
  async run(commands: string): Promise<CliResult> {
    const child = this.start(commands)
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, stdout: stdout.replaceAll(this.#url, shownUrl), stderr }
  }

  /** Runs commands line by line, and gives what a terminal shows then. */
  async transcript(commands: string): Promise<string> {
    const lines: string[] = []
    for (const command of commands.trimEnd().split('\n')) {
      const { code, stdout, stderr } = await this.run(command)
      if (code !== 0) throw new Error(`Cannot show ${command}: it ended with ${code}: ${stderr}`)
      lines.push(`$ ${command}`, stdout.trimEnd())
    }
    return lines.join('\n')
  }
}
