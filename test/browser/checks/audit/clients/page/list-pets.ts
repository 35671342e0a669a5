import type { End } from '../../../../../nightly/checks/audit/clients/situations.ts'
import { webLibraries } from '../../../../../nightly/checks/audit/clients/web-libraries.ts'

declare global {
  /** Moves the sandbox's clock on; the test gives it to the page. */
  function advance(ms: number): Promise<void>
  /** Lets a client list pets; gives how it ended, and what it waited for, in milliseconds. */
  function listPets(library: string, url: string): Promise<{ end: End; waits: number[] }>
}

/** How long ky waits for a response, in milliseconds: no wait before another try. */
const kyLimitMs = 10_000

globalThis.listPets = async (name, url) => {
  const waits: number[] = []
  const { setTimeout: start } = window
  const wait = async (ms: number, done: () => void): Promise<void> => {
    waits.push(ms)
    await advance(ms)
    done()
  }
  const replaced = (done: () => void, ms = 0): number =>
    ms === 0 || ms === kyLimitMs ? start(done, ms) : start(() => void wait(ms, done))
  window.setTimeout = Object.assign(replaced, start)
  const library = webLibraries.find((one) => one.name === name)
  const headers = { Authorization: 'Bearer free-key' }
  const client = library?.connect({ url, headers, signal: new AbortController().signal })
  const end = await Promise.resolve(client?.list()).then(
    (): End => 'served',
    (): End => 'gave up',
  )
  window.setTimeout = start
  return { end, waits }
}
