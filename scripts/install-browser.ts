/**
 * Finds the browsers that the tests run in, or installs them; says in one line for each which.
 *
 * Without Chromium the tests can't run. Firefox and WebKit are installed where apt may, and are needed elsewhere only if they
 * are named: `firefox webkit`.
 */
import { aptCommands, type Command, isDebianRoot, run } from './apt.ts'
import { type BrowserName, findBrowser } from './browsers.ts'

/** What apt has of each; of Chromium without windows, and, in older releases, only with; WebKit needs a display. */
const aptPackages = {
  chromium: ['chromium-headless-shell', 'chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver xvfb'],
} as const satisfies Readonly<Record<BrowserName, readonly string[]>>

/** Playwright's own Firefox and WebKit are not the released ones, which users have. */
const playwrightCommands: readonly Command[] = [['npx', 'playwright', 'install', 'chromium']]

/** @throws Error with what was tried. */
function install(browser: BrowserName): string {
  const ways = [
    ...(isDebianRoot() ? aptPackages[browser].map(aptCommands) : []),
    ...(browser === 'chromium' ? [playwrightCommands] : []),
  ]
  let tried = ''
  for (const commands of ways) {
    tried += run(commands) ?? ''
    const path = findBrowser(browser)
    if (path !== undefined) return path
  }
  throw new Error(
    `Cannot install ${browser}, which tests run in:\n${tried}Install it, or set ${browser.toUpperCase()}_PATH to its path; ${
      browser === 'chromium' ? 'no test runs without it' : 'its tests are skipped until then'
    }`,
  )
}

const names: readonly BrowserName[] = ['chromium', 'firefox', 'webkit']
const wanted = process.argv.slice(2)
for (const browser of names) {
  if (wanted.length > 0 && !wanted.includes(browser)) continue
  try {
    const found = findBrowser(browser)
    process.stdout.write(
      found === undefined ? `Installed ${install(browser)}\n` : `Found ${found}\n`,
    )
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    if (browser === 'chromium' || wanted.includes(browser)) process.exitCode = 1
  }
}
