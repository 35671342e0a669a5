import type { ReadCapture } from '../../control/reports/capture-file.ts'
import type { HowToReplay } from '../../explore/capture/replay-capture.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { stopSignal } from '../processes/stop-signal.ts'
import { createLog } from '../serve/log.ts'
import { parentGone } from '../serve/parent-gone.ts'
import { announce } from '../serve/serve.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { listen } from '../serve/start-serving.ts'
import { stopPretenuring } from '../serve/stop-pretenuring.ts'
import { playedSandbox } from './played-sandbox.ts'

/** How a capture is served. */
export interface HowToServe {
  /** 0 for any free port; otherwise as the command serve, with its variables and its config file. */
  readonly port: number | undefined
  readonly version: string
}

/**
 * Serves a sandbox to which was done what a capture has, until the process is told to stop.
 *
 * @throws {@link CliError} when it can't listen.
 */
export async function serveCapture(
  capture: ReadCapture,
  how: HowToReplay,
  { port, version }: HowToServe,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const orphaned = parentGone(process.env)
  stopPretenuring()
  const given: Record<string, string> = port === undefined ? {} : { port: String(port) }
  const settings = await readServeSettings(given, process.env)
  const { sandbox, exchanges } = await playedSandbox(capture, how)
  const pool = new SandboxPool()
  const log =
    settings.log === 'silent' ? undefined : createLog(settings.log, stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, onExchange: log?.add })
  const stopped = Promise.race([stopSignal(), orphaned])
  announce(server, settings, version)
  if (settings.log === 'pretty') stdout.write(stateText(exchanges))
  await stopped
  await server.close()
  log?.flush()
}

function stateText(exchanges: number): string {
  const asked = exchanges === 1 ? 'its 1 request' : `${exchanges} requests`
  return `  As it was after ${asked}. The clock stands still; petstore-sandbox clock resume lets it run.\n\n`
}
