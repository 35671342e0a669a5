import { basename } from 'node:path'
import { printable } from '../../reports/text.ts'
import { type Sandbox, sandboxOf } from '../../sandbox.ts'
import { serveSandbox } from '../../server/start-server.ts'
import { sandboxOptions } from '../../state/beginning.ts'
import { SharedMemory } from '../../state/limits.ts'
import { openPage } from '../processes/open-page.ts'
import { stopSignal } from '../processes/stop-signal.ts'
import { playedSandbox } from '../replay/played-sandbox.ts'
import { parentGone } from '../serve/parent-gone.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readShownFile, type Shown } from './read-shown-file.ts'

/** How a file is shown. */
interface HowToShow {
  readonly port: number
  /** Whether to open the browser; otherwise the address is only printed. */
  readonly browser: boolean
}

/**
 * Shows a capture or an audit report in the console, until the process is told to stop; nothing of it can be changed.
 *
 * @throws {@link CliError} for a file that can't be shown, or when it can't listen.
 */
export async function openFile(
  file: string,
  { port, browser }: HowToShow,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const orphaned = parentGone(process.env)
  const shown = await readShownFile(file)
  const sandbox = await shownSandbox(shown)
  const name = basename(file)
  const server = await serveSandbox({ port, sandbox }, { file: name }).catch((error) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(`Cannot show the file on port ${port}: ${why}; use another --port`, 1)
  })
  const stopped = Promise.race([stopSignal(), orphaned])
  const screen = shown.kind === 'report' ? '#/findings' : ''
  const url = `${server.url}/_sandbox/ui/${screen}`
  stdout.write(`${printable(name)} is shown at ${url}\nPress Ctrl+C to end.\n`)
  if (browser) openPage(url)
  await stopped
  await server.close()
}

/** Makes a sandbox that is as a capture left it, or has the findings of a report and nothing else. */
async function shownSandbox(shown: Shown): Promise<Sandbox> {
  if (shown.kind === 'capture') return (await playedSandbox(shown.capture, {})).sandbox
  const { findings } = shown
  const numbers = findings.flatMap(({ exchanges }) => exchanges)
  const judged = numbers.reduce((most, number) => Math.max(most, number), 0)
  const clock = { now: undefined, mode: 'frozen', scale: 1 } as const
  return sandboxOf(
    { ...sandboxOptions.read({}), seed: { pets: [], keys: [] }, clock },
    new SharedMemory(),
    { judgement: { findings, judged } },
  )
}
