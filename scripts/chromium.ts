import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** Names the Chromium that tests are to use. */
const variable = 'CHROMIUM_PATH'

/** Where systems keep a Chromium or Chrome; first the one without windows, for which a page is half the work. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds a Chromium: the one that `CHROMIUM_PATH` names, Playwright's own, or the system's.
 *
 * @throws Error when `CHROMIUM_PATH` names no file.
 */
export function findChromium(): string | undefined {
  const named = process.env[variable]
  if (named === undefined || named === '') {
    return [chromium.executablePath(), ...systemPaths].find((path) => existsSync(path))
  }
  if (existsSync(named)) return named
  throw new Error(`Cannot use ${variable}: there is no file ${named}`)
}

/** Gives the options with which Playwright launches the Chromium that {@link findChromium} finds. */
export function chromiumLaunchOptions(): { executablePath: string; args: string[] } {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    throw new Error(
      `Cannot find Chromium: run "node scripts/install-browser.ts", or set ${variable} to its path`,
    )
  }
  const isRoot = process.getuid?.() === 0
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  // Chromium's own sandbox refuses to start as root.
  return { executablePath, args: isRoot ? ['--no-sandbox', ...args] : args }
}
