import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { childEnvironment } from './child-environment.ts'
import { type CliResult, program, testFolder } from './cli-process.ts'
import { runMain } from './run-main.ts'

/** The address that documents show; commands are run against another. */
const shownUrl = 'http://127.0.0.1:7387'

const folder = new URL('../process/readme/shell/', import.meta.url)

/** Reads the commands that a document shows. */
export function commandsIn(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}

/** Asks the sandbox beside which it runs for pets, and notes where that is, and with which key. */
const testScript = `[ "$*" = test ] || exit 1
echo "$PETSTORE_API_URL $PETSTORE_KEY" >> "$HOME/tested"
curl -sA test -o /dev/null "$PETSTORE_API_URL/pets?limit=100" -H "Authorization: Bearer $PETSTORE_KEY"`

/** Has `npm test` in a shell run tests, each time a line of the file `tested`. */
export function writeTests(shell: Shell): void {
  writeFileSync(join(shell.folder, 'tested'), '')
  // npm itself would take most of the time.
  shell.install('npm', testScript)
}

const startProgram = `exec '${process.execPath}' '${program}' "$@"`

/** The commands that print an answer and end: they run in the process that `runMain()` shares. */
const answering =
  'agents|calibrate|capture|check|clock|completion|exec|faults|findings|gaps|keys|pets|replay|requests|reset|sandboxes|scenario|snapshot|status'

/** Has such a command, unless it runs a shell with further ones, run by a server, which returns what the shell has to print and its exit code, as commands. */
const askProgram = (socket: string): string => `case "$1:$*" in
  *--follow* | *--serve* | exec:*bash*) ;;
  ${answering.replaceAll('|', ':*|')}:*) eval "$({ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } |
    curl -sS --unix-socket '${socket}' --data-binary @- http://shell/)" ;;
esac
${startProgram}`

/** Writes a text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Runs the program as a shell asks for it. */
async function answer(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const [cwd = '', count, ...words] = Buffer.concat(chunks).toString().split('\0')
  const args = words.slice(0, Number(count))
  const variables = words.slice(args.length, -1).map((text) => {
    const at = text.indexOf('=')
    return [text.slice(0, at), text.slice(at + 1)]
  })
  const { code, stdout, stderr } = await runMain(args, { cwd, env: Object.fromEntries(variables) })
  return `printf %s ${quoted(stdout)}\nprintf %s ${quoted(stderr)} >&2\nexit ${code}\n`
}

/** Serves a shell's requests for the program until the test ends. */
function serveProgram(socket: string): void {
  const server = createServer(async (request, response) => {
    response.end(
      await answer(request).catch((error) => `echo ${quoted(String(error))} >&2; exit 99`),
    )
  })
  server.listen(socket)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
}

function write(file: string, commands: string): void {
  writeFileSync(file, `#!/bin/sh\n${commands}\n`, { mode: 0o755 })
}

/** A shell in a project that has installed the package: only `npx` finds the program. */
export class Shell {
  readonly folder: string = testFolder()
  readonly #programs = join(this.folder, 'bin')
  readonly #env: NodeJS.ProcessEnv
  readonly #url: string

  /** @param url Where the sandbox is served that commands are for. */
  constructor(url: string = shownUrl, env: Readonly<Record<string, string>> = {}) {
    const modules = join(this.folder, 'node_modules/.bin')
    for (const folder of [this.#programs, modules]) mkdirSync(folder, { recursive: true })
    const socket = join(this.folder, 'program.sock')
    serveProgram(socket)
    write(join(modules, 'petstore-sandbox'), askProgram(socket))
    // Finds the program as npx does, and never asks a registry.
    this.install('npx', `PATH='${modules}':"$PATH" npm_lifecycle_event=npx exec "$@"`)
    // Nor opens anybody's browser.
    for (const opener of ['open', 'xdg-open']) this.install(opener, 'exit 0')
    const path = [this.#programs, dirname(process.execPath), process.env.PATH].join(delimiter)
    this.#env = {
      ...childEnvironment,
      HOME: this.folder,
      PATH: path,
      PETSTORE_SANDBOX_URL: url,
      ...env,
    }
    this.#url = url
  }

  /** Puts the program on the path, as a global install does. */
  installGlobally(): void {
    this.install('petstore-sandbox', startProgram)
  }

  /** Has commands of the shell do for a program, whatever this machine has under its name. */
  install(name: string, commands: string): void {
    write(join(this.#programs, name), commands)
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
}
