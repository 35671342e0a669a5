/** Serves sandboxes of the built package for tests in another process; `remote-server.ts` says what it is to do. */
import { subscribe } from 'node:diagnostics_channel'
import { createSandbox, SandboxPool } from '../../dist/index.js'
import { serveSandbox } from '../../dist/server.js'

/** The running servers, by the numbers that the tests know them by. */
const servers = new Map()

const timers = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval }

const actions = {
  async start({ server: number, sandbox, pool, hasSave, bounds, ...options }) {
    const served = createSandbox(sandbox?.options)
    if (sandbox !== undefined) served.restore(sandbox.snapshot)
    const tell = (event, value) => process.send({ event, server: number, value })
    const given = {
      ...options,
      sandbox: served,
      pool: new SandboxPool(pool),
      ...(hasSave ? { save: () => tell('save') } : {}),
      onError: (error) => tell('bug', error),
      onRequest({ outcome, sandbox, ...request }) {
        const hasFaults = sandbox === undefined || sandbox.faults.list().length > 0
        tell('request', { ...request, outcome: sendable(outcome), hasFaults })
      },
    }
    const server = await serveSandbox(given, { bounds })
    servers.set(number, server)
    const { url, port, controlToken } = server
    return { url, port, controlToken }
  },

  /** Goes from a server to what some steps lead to: names of members, and arrays of arguments for calls. */
  follow({ server, steps }) {
    let owner
    let value = servers.get(server)
    for (const step of steps) {
      if (Array.isArray(step)) value = value.apply(owner, step)
      else {
        owner = value
        value = owner[step]
      }
    }
    return value
  },

  /** Counts, from now on, who begins and ends to listen to a server's requests; `listeners` of the server says it. */
  countListeners({ server: number }) {
    const server = servers.get(number)
    const { requests } = server.sandbox
    const { onRequest } = requests
    server.listeners = { begun: 0, ended: 0 }
    requests.onRequest = (listener) => {
      server.listeners.begun++
      const end = onRequest(listener)
      return () => {
        server.listeners.ended++
        end()
      }
    }
  },

  /** Counts, from now on, the requests of a server for which Node makes a response; `made` of the server says it. */
  countRequests({ server: number }) {
    const server = servers.get(number)
    server.made = 0
    subscribe('http.server.request.start', (message) => {
      if (message.server.address()?.port === server.port) server.made++
    })
  },

  close: ({ server }) => servers.get(server)?.close(),

  stopTimers() {
    const timer = { ref: () => timer, unref: () => timer, refresh: () => timer }
    globalThis.setTimeout = () => timer
    globalThis.setInterval = () => timer
  },

  startTimers: () => Object.assign(globalThis, timers),
}

/** An outcome without what can't be sent: what a fault makes of a reply holds functions, and some bodies take long. */
function sendable(outcome) {
  const { kind, body } = outcome
  if (kind !== 'response') return { kind }
  return body.length > 5_000_000 ? { kind: 'large reply' } : outcome
}

process.on('message', async ({ id, action, ...given }) => {
  try {
    answer(id, await actions[action](given))
  } catch (error) {
    const { name, message, code, stack } = error
    process.send({ id, error: { name, message, code, stack } })
  }
})

/** Sends a value back, or nothing where it is more than data, such as a sandbox. */
function answer(id, value) {
  try {
    process.send({ id, value })
  } catch {
    process.send({ id })
  }
}

process.on('warning', ({ stack }) => process.send({ event: 'written', value: stack }))
process.stderr.write = (text) => process.send({ event: 'written', value: String(text) })
process.on('disconnect', () => process.exit())
