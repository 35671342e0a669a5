import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServer } from './open-server.ts'

/** A page of a browser as it is released, driven by WebDriver: Playwright drives builds of its own. */
export interface DrivenPage extends AsyncDisposable {
  /** The errors that the page has told of, where the browser says so. */
  readonly complaints: string[]
  goto(url: string): Promise<void>
  /** Gives what an expression is in the page. */
  evaluate(expression: string): Promise<unknown>
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>
}

/** How long is waited at most: far longer than anything takes. */
const patienceMs = 10_000

async function sleep(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 100))
}

/** Waits until an expression is true in a page. */
async function waited(evaluate: DrivenPage['evaluate'], expression: string): Promise<void> {
  const end = Date.now() + patienceMs
  while ((await evaluate(`Boolean(${expression})`)) !== true) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${expression}`)
    await sleep()
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** Starts a Firefox, and drives it by WebDriver BiDi. */
export async function driveFirefox(executable: string): Promise<DrivenPage> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const stop = async (): Promise<void> => {
    await ended(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const socket = new WebSocket(`${await addressIn(child)}/session`)
    const complaints: string[] = []
    const waiting = new Map<number, (answer: BidiMessage) => void>()
    socket.addEventListener('message', ({ data }) => {
      const message: BidiMessage = JSON.parse(String(data))
      if (message.id !== undefined) waiting.get(message.id)?.(message)
      else if (message.params?.level === 'error') complaints.push(String(message.params.text))
    })
    await once(socket, 'open')
    let lastId = 0
    const ask = async (method: string, params: object): Promise<BidiResult> => {
      lastId++
      const id = lastId
      const answered = new Promise<BidiMessage>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const { result, message } = await answered
      if (result === undefined) throw new Error(`Firefox rejects ${method}: ${message}`)
      return result
    }
    await ask('session.new', { capabilities: {} })
    await ask('session.subscribe', { events: ['log.entryAdded'] })
    const { context } = await ask('browsingContext.create', { type: 'tab' })
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result, exceptionDetails } = await ask('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return result?.value
    }
    return {
      complaints,
      evaluate,
      goto: async (url) =>
        void (await ask('browsingContext.navigate', { context, url, wait: 'complete' })),
      until: (expression) => waited(evaluate, expression),
      async [Symbol.asyncDispose]() {
        socket.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What is read of an answer, or of an event. */
interface BidiMessage {
  readonly id?: number
  readonly result?: BidiResult
  readonly message?: string
  readonly params?: { readonly level?: string; readonly text?: string }
}

interface BidiResult {
  readonly context?: string
  readonly result?: { readonly value?: unknown }
  readonly exceptionDetails?: { readonly text: string }
}

/** The address that a Firefox prints once it listens. */
async function addressIn(child: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of child.stderr ?? []) {
    printed += String(chunk)
    const [address] = /ws:\/\/\S+/.exec(printed) ?? []
    if (address !== undefined) {
      child.stderr?.resume()
      return address
    }
  }
  throw new Error(`Firefox does not start: ${printed}`)
}

/** Starts a WebKitGTK by its driver, on a display that nobody sees. */
export async function driveWebKit(driver: string): Promise<DrivenPage> {
  const display = spawn('Xvfb', ['-displayfd', '1'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [number] = await once(display.stdout, 'data')
  const port = await freePort()
  const child = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  const stop = async (): Promise<void> => {
    await ended(child)
    await ended(display)
  }
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const reply = await fetch(`http://127.0.0.1:${port}/session${path}`, init)
    const { value }: { value: unknown } = JSON.parse(await reply.text())
    if (!reply.ok) throw new Error(`WebKit rejects ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  try {
    const sessionId = await begun(ask)
    const evaluate = (expression: string): Promise<unknown> =>
      ask('POST', `/${sessionId}/execute/sync`, { script: `return ${expression}`, args: [] })
    return {
      complaints: [],
      evaluate,
      goto: async (url) => void (await ask('POST', `/${sessionId}/url`, { url })),
      until: (expression) => waited(evaluate, expression),
      async [Symbol.asyncDispose]() {
        await ask('DELETE', `/${sessionId}`)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Begins a session, as soon as the driver listens. */
async function begun(ask: (method: string, path: string, body: object) => Promise<unknown>) {
  const end = Date.now() + patienceMs
  for (;;) {
    try {
      const begun = await ask('POST', '', { capabilities: { alwaysMatch: {} } })
      return (begun as { readonly sessionId: string }).sessionId
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > end) throw error
      await sleep()
    }
  }
}

async function freePort(): Promise<number> {
  const { port, close } = await openServer(() => {})
  await close()
  return port
}
