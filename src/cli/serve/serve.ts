import { banner } from './banner.ts'
import { parentGone } from './parent-gone.ts'
import type { ServeSettings } from './serve-settings.ts'
import { startServing } from './start-serving.ts'

/**
 * Serves a sandbox until the process is told to stop.
 *
 * @throws {@link CliError} when it can't start, or can't save its state at the end.
 */
export async function serve(settings: ServeSettings, version: string): Promise<void> {
  // From the start, since the parent may end while the server starts.
  const orphaned = parentGone(process.env)
  const { server, log, save, writePort, end } = await startServing(settings)
  // Before anybody can learn of the server and stop it.
  const stopped = Promise.race([stopSignal(), orphaned])
  await writePort()
  if (settings.log === 'pretty') {
    process.stdout.write(
      banner({ ...server, staticFolder: settings.static, version }, process.stdout),
    )
  }
  if (settings.log === 'json') {
    // A generated token is announced only here.
    const token =
      settings['control-token'] === undefined ? { controlToken: server.controlToken } : {}
    process.stdout.write(`${JSON.stringify({ listening: server.url, ...token })}\n`)
  }
  await stopped
  end()
  await server.close()
  save?.()
  log?.flush()
  // Output that nobody reads would keep the process alive.
  setTimeout(() => process.exit(), flushMs).unref()
}

/** How long the log's reader may take to read the rest. */
const flushMs = 500

/** How long after the first signal another counts as the same, since npm and a terminal both send one. */
const sameSignalMs = 2_000

/** Waits for a signal to stop; another one after two seconds ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (): void => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) {
        process.exit(1)
      }
    }
    // The last one is sent when a terminal is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  })
}
