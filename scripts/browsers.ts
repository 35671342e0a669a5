import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** The browsers that tests run in; each is named by a variable, such as `FIREFOX_PATH`, or else looked for. */
const places = {
  /** First the one without windows, for which a page is half the work. */
  chromium: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
  firefox: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/snap/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
  /** What drives WebKitGTK. */
  webkit: ['/usr/bin/WebKitWebDriver'],
} as const

export type BrowserName = keyof typeof places

/**
 * Finds a browser: the one that its variable names, of Chromium Playwright's own, or the system's.
 *
 * @throws Error when the variable names no file.
 */
export function findBrowser(name: BrowserName): string | undefined {
  const variable = `${name.toUpperCase()}_PATH`
  const named = process.env[variable]
  if (named === undefined || named === '') {
    const own = name === 'chromium' ? [chromium.executablePath()] : []
    return [...own, ...places[name]].find((path) => existsSync(path))
  }
  if (existsSync(named)) return named
  throw new Error(`Cannot use ${variable}: there is no file ${named}`)
}

/** Gives the options with which Playwright launches the Chromium that {@link findBrowser} finds. */
export function chromiumLaunchOptions(): { executablePath: string; args: string[] } {
  const executablePath = findBrowser('chromium')
  if (executablePath === undefined) {
    throw new Error(
      'Cannot find Chromium: run "node scripts/install-browser.ts", or set CHROMIUM_PATH to its path',
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
  // Chromium's own sandbox can't start as root.
  return { executablePath, args: isRoot ? ['--no-sandbox', ...args] : args }
}
