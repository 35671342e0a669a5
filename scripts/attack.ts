/**
 * Attacks the built server in a heap of 256 MiB as clients without a key can; `--short` does a tenth of each, `--node=20` picks the
 * server's Node, words pick attacks.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { findNode, installNode } from './find-node.ts'

const heapMiB = 256

/** The Node of the server, by `--node=20`; by default that of this script. */
const major = process.argv.find((word) => word.startsWith('--node='))?.slice('--node='.length)
const nodePath =
  major === undefined
    ? process.execPath
    : (findNode(Number(major)) ?? installNode(Number(major))).path

const tlsFolder = fileURLToPath(new URL('../test/kit/tls/', import.meta.url))

const tlsOptions = [
  '--tls-cert',
  join(tlsFolder, 'cert.pem'),
  '--tls-key',
  join(tlsFolder, 'key.pem'),
]

/** What a client without a key does. */
interface Attack {
  readonly name: string
  /** The options that the server is started with. */
  readonly options?: readonly string[]
  /** Whether the short form leaves it out. */
  readonly isLong?: boolean
  /**
   * Does it; what isn't answered as it should be is an error.
   *
   * @param times How many times as much as the short form.
   */
  readonly run: (target: Target, times: number) => Promise<void>
}

const attacks: readonly Attack[] = [
  {
    name: 'connections that send nothing, as many as there may be',
    async run(target, times) {
      for (let count = 0; count < 120 * times; count++) target.open()
      await target.servesOthers()
    },
  },
  {
    name: 'requests sent at once, whose replies nobody reads',
    async run(target, times) {
      const requests = headOf('GET', '/v1/pets').repeat(5_000)
      for (let count = 0; count < 20 * times; count++) target.open().write(requests)
      await target.servesOthers()
    },
  },
  {
    name: 'requests sent at once on 200 connections, all of which the server reads in one turn',
    run: (target) => flood(target, 200),
  },
  {
    name: 'requests sent at once on 950 connections, all of which the server reads in one turn',
    isLong: true,
    run: (target) => flood(target, 950),
  },
  {
    name: 'requests sent at once on 200 connections over TLS, all of which the server reads in one turn',
    isLong: true,
    options: tlsOptions,
    run: (target) => flood(target, 200),
  },
  {
    name: 'requests sent at once on 950 connections over TLS, all of which the server reads in one turn',
    isLong: true,
    options: tlsOptions,
    run: (target) => flood(target, 950),
  },
  {
    name: 'bodies of 1 MB on many connections, all of which end at once',
    async run(target, times) {
      const sockets: Socket[] = []
      for (let count = 0; count < 30 * times; count++) {
        const socket = target.open().resume()
        socket.write(headOf('POST', '/v1/pets', 'Content-Length: 1000000'))
        socket.write('x'.repeat(999_999))
        sockets.push(socket)
        await sleep(10)
      }
      const answers = sockets.map((socket) => once(socket, 'data'))
      for (const socket of sockets) socket.write('x')
      await Promise.all(answers)
    },
  },
  {
    name: 'halves of bodies of 1 MB on many connections, which must not take 1 GB',
    async run(target, times) {
      const half = Buffer.alloc(1_000_000, ' ')
      for (let count = 0; count < 90 * times; count++) {
        const socket = target.open()
        socket.write(headOf('POST', '/v1/pets', 'Content-Length: 1040000'))
        socket.write(half)
      }
      await target.servesOthers()
      if (target.peakMiB > 600) throw new Error('it takes more than 600 MiB')
    },
  },
  {
    name: 'documents of 31 MiB without the control token',
    options: ['--control-token', 'secret'],
    async run(target, times) {
      const part = Buffer.alloc(1_048_576, ' ')
      for (let count = 0; count < 6 * times; count++) {
        const socket = target.open()
        socket.write(headOf('PUT', '/_sandbox/snapshot', 'Content-Length: 32505856'))
        for (let parts = 0; parts < 31; parts++) socket.write(part)
      }
      await target.servesOthers()
    },
  },
  {
    name: 'invalid tokens, many and long, in sandboxes made on use',
    options: ['--auto-create'],
    async run(target, times) {
      await repeat(600 * times, (index) => {
        const token = `${index}-`.padEnd(15_000, 'k')
        return target.ask('GET', `/sandboxes/s${index % 20}/v1/pets`, { token })
      })
    },
  },
  {
    name: 'invalid tokens of 25 characters in sandboxes made on use (R1)',
    isLong: true,
    options: ['--auto-create'],
    async run(target, times) {
      await repeat(40_000 * times, (index) => {
        const token = String(index).padStart(25, 'k')
        return target.ask('GET', `/sandboxes/u${Math.floor(index / 1_000)}/v1/pets?limit=1`, {
          token,
        })
      })
    },
  },
  {
    name: 'headers of 15 KB over three sandboxes (R1)',
    options: ['--sandbox', 'a', '--sandbox', 'b'],
    async run(target, times) {
      await repeat(2_500 * times, (index) => {
        const long = `${index}-`.padEnd(15_000, 'x')
        const place = ['', '/sandboxes/a', '/sandboxes/b'][index % 3]
        return target.ask('GET', `${place}/v1/pets?limit=1`, { long })
      })
    },
  },
  {
    name: 'names of 1,000 characters in sandboxes made on use, with the default keys (R1)',
    isLong: true,
    options: ['--auto-create', '--rate-limits', 'report-only'],
    async run(target, times) {
      const body = JSON.stringify({ name: '\u4e2d'.repeat(1_000), categoryId: 1 })
      await repeat(10_000 * times, (index) => {
        const path = `/sandboxes/n${Math.floor(index / 2_000)}/v1/pets`
        return target.ask('POST', path, { body, token: 'pro-key' })
      })
    },
  },
  {
    name: 'sandboxes made on use, more than there may be, each with a request log of long bodies',
    options: ['--auto-create'],
    async run(target, times) {
      const body = JSON.stringify({ name: 1, x: '\u4e2d'.repeat(65_600) })
      await repeat(300 * times, (index) => {
        return target.ask('POST', `/sandboxes/j${index % (110 * times)}/v1/pets`, { body })
      })
    },
  },
  {
    name: 'bodies of 1 MB, each with another token, while a console shows the findings',
    async run(target) {
      await target.ask('GET', '/_sandbox/findings')
      await repeat(400, (index) => {
        const body = `${index}`.padEnd(1_000_000, 'x')
        return target.ask('POST', '/v1/pets', { body, token: `token-${index}` })
      })
    },
  },
  {
    name: 'event streams that nobody reads, of pages on the same machine, from any event on',
    options: ['--rate-limits', 'report-only'],
    async run(target, times) {
      const body = 'x'.repeat(1_000_000)
      const post = () => target.ask('POST', '/v1/pets', { body, token: 'free-key' })
      await repeat(40 * times, post)
      for (let count = 0; count < 90 * times; count++) {
        const start = [[], ['Last-Event-ID: x']][count % 2] ?? []
        target.open().write(headOf('GET', '/_sandbox/events', ...start))
      }
      await repeat(30 * times, post)
    },
  },
]

/** Pipelines 5,000 requests on each of many connections while the server is stopped, and reads no response. */
async function flood(target: Target, connections: number): Promise<void> {
  const sockets = Array.from({ length: connections }, () => target.open())
  // A handshake needs a server that runs.
  await Promise.all(sockets.map((socket) => target.untilReady(socket)))
  const requests = headOf('GET', '/v1/pets').repeat(5_000)
  await target.whileStopped(async () => {
    for (const socket of sockets) socket.write(requests)
    await sleep(2_000)
  })
  await target.servesOthers()
}

/** Writes the head of a request. */
function headOf(method: string, path: string, ...lines: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
}

/** Does something a number of times, eight at once. */
async function repeat(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** A built server in a process with a small heap. */
class Target {
  readonly #child: ChildProcess
  readonly #port: number
  readonly #folder: string
  readonly #sockets: Socket[] = []
  readonly #hasTls: boolean
  #said = ''

  private constructor(child: ChildProcess, port: number, folder: string, hasTls: boolean) {
    this.#child = child
    this.#port = port
    this.#folder = folder
    this.#hasTls = hasTls
    child.stderr?.on('data', (text) => {
      this.#said += text
    })
  }

  /** Starts a server; resolves once it listens. */
  static async start(options: readonly string[]): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-attack-'))
    const portFile = join(folder, 'port')
    const bin = fileURLToPath(new URL('../bin/petstore-sandbox', import.meta.url))
    const own = ['--port', '0', '--log', 'silent', '--port-file', portFile]
    const child = spawn(nodePath, [`--max-old-space-size=${heapMiB}`, bin, ...own, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`it did not start: ${child.exitCode}`)
      const port = Number(textOf(portFile))
      if (port > 0) return new Target(child, port, folder, options === tlsOptions)
      await sleep(20)
    }
  }

  /** The most main memory that it had, in MiB, where the system tells it. */
  get peakMiB(): number {
    return Number(/VmHWM:\s*(\d+)/.exec(textOf(`/proc/${this.#child.pid}/status`))?.[1]) / 1_024
  }

  /** How it died, if it did. */
  get death(): string | undefined {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) return undefined
    return `it died: ${signalCode ?? exitCode} ${/^.*(?:FATAL|Error).*$/m.exec(this.#said)?.[0]}`
  }

  /** Asks for something, and reads the answer; gives its status. */
  async ask(
    method: string,
    path: string,
    { body = '', token = '', long = '' } = {},
  ): Promise<number> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-long': long,
    }
    const place = { port: this.#port, host: '127.0.0.1', method, path, headers }
    const request = this.#hasTls
      ? https.request({ ...place, rejectUnauthorized: false })
      : http.request(place)
    const reply: IncomingMessage = (await once(request.end(body), 'response'))[0]
    await finished(reply.resume())
    return reply.statusCode ?? 0
  }

  /** Opens a connection on which nothing is read until its `resume()`. */
  open(): Socket {
    const place = { port: this.#port, host: '127.0.0.1' }
    const socket = this.#hasTls
      ? connectTls({ ...place, rejectUnauthorized: false })
      : connect(place)
    socket.pause().on('error', () => {})
    this.#sockets.push(socket)
    return socket
  }

  /** Resolves when a connection can be written to. */
  async untilReady(socket: Socket): Promise<void> {
    await once(socket, this.#hasTls ? 'secureConnect' : 'connect')
  }

  /** Does something while it is stopped, so that everything sent meanwhile reaches it in one turn. */
  async whileStopped(act: () => Promise<void>): Promise<void> {
    this.#child.kill('SIGSTOP')
    try {
      await act()
    } finally {
      this.#child.kill('SIGCONT')
    }
  }

  /** Waits until it serves somebody else, as it does half a minute later at the latest; a busy machine gets twice as long. */
  async servesOthers(): Promise<void> {
    const endsAt = performance.now() + 60_000
    while (this.death === undefined && performance.now() < endsAt) {
      const status = await this.ask('GET', '/v1/pets/1', { token: 'pro-key' }).catch(() => 0)
      if (status === 200) return
      await sleep(200)
    }
    throw new Error(this.death ?? 'it serves nobody else')
  }

  /** Ends it. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    if (this.death === undefined) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
    // Not before: it goes on to have the folder itself written through.
    rmSync(this.#folder, { recursive: true })
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Gives what went wrong, or '', and the most memory that the server had. */
async function execute({ options = [], run }: Attack, times: number) {
  const target = await Target.start(options)
  try {
    await run(target, times)
    await target.servesOthers()
    return { why: '', peakMiB: target.peakMiB }
  } catch (error) {
    // A server that dies ends its connections before it is known to be dead.
    await sleep(1_000)
    const why = error instanceof Error ? error.message : String(error)
    return { why: target.death ?? why, peakMiB: target.peakMiB }
  } finally {
    await target.stop()
  }
}

const isShort = process.argv.includes('--short')
const times = isShort ? 1 : 10
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const wanted = attacks.filter(
  ({ name, isLong = false }) =>
    !(isShort && isLong) && (words.length === 0 || words.some((word) => name.includes(word))),
)
process.stdout.write(`Heap of ${heapMiB} MiB, Node ${major ?? process.version}\n\n`)
process.stdout.write('| attack | peak, MiB | held |\n|---|---|---|\n')
let failed = 0
for (const attack of wanted) {
  const { why, peakMiB } = await execute(attack, times)
  if (why !== '') failed++
  const held = why === '' ? 'yes' : `**no**: ${why}`
  process.stdout.write(`| ${attack.name} | ${peakMiB.toFixed(0)} | ${held} |\n`)
}
process.stdout.write(`\n${wanted.length} tried, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
