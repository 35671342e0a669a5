import type { RunningServer } from '../../server/start-server.ts'
import { stopSignal } from '../processes/stop-signal.ts'
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
  const { server, log, writePort, end, finish } = await startServing(settings)
  // Before anybody can learn of the server and stop it.
  const stopped = Promise.race([stopSignal(), orphaned])
  await writePort()
  announce(server, settings, version)
  await stopped
  end()
  await server.close()
  await finish()
  log?.flush()
  // Output that nobody reads would keep the process alive.
  setTimeout(() => process.exit(), flushMs).unref()
}

/** Says what is served, as the log's format has it. */
export function announce(server: RunningServer, settings: ServeSettings, version: string): void {
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
}

/** How long the log's reader may take to read the rest. */
const flushMs = 500
