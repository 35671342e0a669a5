import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Gauge } from './gauge.ts'

const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** How much heap a server under attack has, in MiB. */
export const heapMiB = 256

/** A reply, read to its end. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** A built server in a process with a small heap. */
export class Target {
  readonly port: number
  readonly #child: ChildProcess
  readonly #stderr: string[] = []
  readonly #sockets: Socket[] = []

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
    child.stderr?.on('data', (text) => this.#stderr.push(String(text)))
  }

  /** Starts a server; resolves once it listens. */
  static async start(options: readonly string[] = []): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-attack-'))
    const portFile = join(folder, 'port')
    const child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${heapMiB}`,
        ...['--import', path('scripts/attack/gauge.ts'), path('bin/petstore-sandbox')],
        ...['--port', '0', '--log', 'silent', '--port-file', portFile, ...options],
      ],
      { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
    )
    const port = await portIn(portFile, child)
    rmSync(folder, { recursive: true })
    const target = new Target(child, port)
    await target.gauge('begin')
    return target
  }

  /** @throws Error when it has died. */
  async gauge(message: 'begin' | 'read' = 'read'): Promise<Gauge> {
    this.expectAlive()
    this.#child.send(message)
    const [gauge] = await Promise.race([once(this.#child, 'message'), this.#death()])
    return gauge
  }

  /** @throws Error when it has died. */
  expectAlive(): void {
    if (this.death !== undefined) throw new Error(this.death)
  }

  /** How it died, if it did. */
  get death(): string | undefined {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) return undefined
    const said = this.#stderr.join('').match(/^.*(?:FATAL|Error).*$/m)?.[0] ?? ''
    return `it died: ${signalCode ?? exitCode} ${said}`
  }

  /** Asks for something, and reads the answer. */
  async ask(method: string, target: string, body?: unknown, key = 'free-key'): Promise<Answer> {
    const reply = await fetch(`http://127.0.0.1:${this.port}${target}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: reply.status, text: await reply.text() }
  }

  /** Asks a control for something; what is refused is an error. */
  async control(method: string, target: string, body?: unknown): Promise<string> {
    const { status, text } = await this.ask(method, `/_sandbox${target}`, body)
    if (status < 300) return text
    throw new Error(`${method} ${target} is refused: ${text.slice(0, 300)}`)
  }

  /** Opens a connection on which nothing is read until its `resume()`. */
  open(): Socket {
    const socket = connect(this.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    this.#sockets.push(socket)
    return socket
  }

  /**
   * Sends a text on many connections of which nothing is read, opened one after another: a stop is to be what one of
   * them causes, not what they come to together.
   */
  async openEach(count: number, text: string): Promise<void> {
    for (let opened = 0; opened < count; opened++) {
      this.open().write(text)
      await sleep(20)
    }
  }

  /** Does something while it stands still, as on a machine that has no time for it: all comes to it in one turn. */
  async whileLate(act: () => Promise<void>): Promise<void> {
    this.#child.kill('SIGSTOP')
    try {
      await act()
    } finally {
      this.#child.kill('SIGCONT')
    }
  }

  /** Checks that it serves. */
  async expectServing(): Promise<void> {
    this.expectAlive()
    const { status } = await this.ask('GET', '/v1/pets/1')
    if (status >= 500) throw new Error(`it does not serve: ${status}`)
  }

  /** Ends it. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  async #death(): Promise<never> {
    // Not its exit, by which it may not have been heard what it says of that.
    await once(this.#child, 'close')
    this.expectAlive()
    throw new Error('it ended')
  }
}

async function portIn(file: string, child: ChildProcess): Promise<number> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it did not start: ${child.exitCode}`)
    const port = readPort(file)
    if (port !== undefined) return port
    await sleep(20)
  }
}

function readPort(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}
