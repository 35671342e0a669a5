import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { printable, printableJson } from '../checks/reports/text.ts'
import { toJson } from '../mock/api/json.ts'
import type { Output } from '../mock/input/schema.ts'
import type { ReadCapture } from '../sandbox/controls/captures.ts'
import { playedSandbox, readCaptureJson } from '../sandbox/played-sandbox.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { pageOf, playgroundPage } from '../server/console.ts'
import { packageFolder } from '../server/package-folder.ts'
import type { ShownFile } from '../server/site.ts'
import { serveSandbox } from '../server/start-server.ts'
import { CliError, writeReasonOf } from './cli-error.ts'
import { makeFolder, readJsonFile, writeFile } from './files.ts'
import type { openOptions } from './options.ts'
import { openPage } from './processes.ts'
import { stopRequested } from './serve/serve.ts'

type OpenOptions = Output<typeof openOptions>

/**
 * Shows a capture, or without a file the playground: in the browser until the server is stopped, or as a folder for any
 * web server. The page can't change a file.
 *
 * @throws {@link CliError} for a file that isn't a capture, a folder that can't be written, or if it can't listen.
 */
export async function openFile(
  path: string | undefined,
  options: OpenOptions,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const { to, json } = options
  let capture: ReadCapture | undefined
  let file: ShownFile | undefined
  if (path !== undefined) {
    file = await readJsonFile(path, (content, text) => {
      capture = readCaptureJson(content)
      return { name: basename(path), text }
    })
  }
  const shown = file === undefined ? 'The playground' : printable(file.name)
  const print = (place: object, sentence: string): void =>
    void stdout.write(
      json
        ? `${printableJson(toJson({ ...(file && { file: file.name }), ...place }))}\n`
        : `${shown} is ${sentence}\n`,
    )
  if (to === undefined) {
    await showPage(capture, file, options, (url) =>
      print({ url }, `shown at ${url}${json ? '' : '\nPress Ctrl+C to end.'}`),
    )
    return
  }
  writeFolder(to, file)
  print({ folder: to }, `in ${printable(to)}: put the folder on any web server`)
}

/** Runs a server with the page until it is stopped. */
async function showPage(
  capture: ReadCapture | undefined,
  file: ShownFile | undefined,
  { port, browser }: OpenOptions,
  announce: (url: string) => void,
): Promise<void> {
  const stopped = stopRequested()
  const sandbox = capture === undefined ? createSandbox() : (await playedSandbox(capture)).sandbox
  const server = await serveSandbox({ port, sandbox }, { file }).catch((error) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(`Cannot show the page on port ${port}: ${why}; use another --port`, 1)
  })
  const url = `${server.url}/_sandbox/ui/${playgroundPage}`
  announce(url)
  if (browser) openPage(url)
  await stopped
  await server.close()
}

/** Files of the console that are copied unchanged: its documents, and what these and the playground load. */
const copied = /^(?!index\.html)[\w-]+\.html$|^(?:playground\.(?:js|css)|console\.css)$/

/**
 * Writes the page and everything that it loads.
 *
 * @throws {@link CliError} if the folder can't be written.
 */
function writeFolder(folder: string, file: ShownFile | undefined): void {
  const built = join(packageFolder(), 'dist/console')
  try {
    makeFolder(folder)
    for (const name of readdirSync(built)) {
      if (copied.test(name)) copyFileSync(join(built, name), join(folder, name))
    }
    copyFileSync(join(built, 'playground-THIRD-PARTY.md'), join(folder, 'THIRD-PARTY.md'))
  } catch (error) {
    throw new CliError(`Cannot write ${folder}: ${writeReasonOf(error)}`, 1)
  }
  const page = readFileSync(join(built, playgroundPage), 'utf8')
  writeFile(join(folder, 'index.html'), file === undefined ? page : pageOf(page, file), 0o644)
}
