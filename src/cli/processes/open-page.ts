import { spawn } from 'node:child_process'
import { report } from '../terminal/report.ts'

/** What opens an address in the browser of the person at the machine, by platform. */
const openers: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // The empty text is the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens a page in the browser; where that fails, it says so in a line, and all goes on. */
export function openPage(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const fail = (why: string): void => report(`Cannot open ${url}: ${why}; open it by hand`)
  // On its own, so that the browser doesn't end with this process.
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => fail(`${command} can't be started`))
  child.on('exit', (code) => {
    if (code !== null && code !== 0) fail(`${command} ended with ${code}`)
  })
  child.unref()
}
