/**
 * Finds the browsers that the tests run in, or installs them; says in one line for each which.
 *
 * Chromium by default, without which the tests can't run; `chromium firefox webkit` for more.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type BrowserName, findBrowser } from './browsers.ts'

type Command = readonly [name: string, ...args: string[]]

/** What apt has of each; of Chromium without windows, and, in older releases, only with; WebKit needs a display. */
const aptPackages = {
  chromium: ['chromium-headless-shell', 'chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver xvfb'],
} as const satisfies Readonly<Record<BrowserName, readonly string[]>>

const aptCommands = (name: string): readonly Command[] => [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', '--no-install-recommends', ...name.split(' ')],
]

/** Playwright's own Firefox and WebKit are not the released ones, which users have. */
const playwrightCommands: readonly Command[] = [['npx', 'playwright', 'install', 'chromium']]

/** Whether apt has these browsers here; Ubuntu's are only hints at snaps. */
function isDebianRoot(): boolean {
  const release = '/etc/os-release'
  return (
    process.getuid?.() === 0 &&
    existsSync(release) &&
    /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  )
}

/** Runs commands one after the other; says what went wrong, or nothing. */
function run(commands: readonly Command[]): string | undefined {
  for (const [name, ...args] of commands) {
    const { status, error, stderr } = spawnSync(name, args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      shell: process.platform === 'win32',
    })
    if (status === 0) continue
    const reason = error?.message ?? stderr.trim().split('\n').at(-1)
    return `  ${[name, ...args].join(' ')}: ${reason}\n`
  }
  return undefined
}

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
    `Cannot install ${browser}, which tests run in:\n${tried}Install it, or set ${browser.toUpperCase()}_PATH to one`,
  )
}

const names: readonly BrowserName[] = ['chromium', 'firefox', 'webkit']
const wanted = process.argv.slice(2)
for (const browser of names) {
  if (!(wanted.length === 0 ? ['chromium'] : wanted).includes(browser)) continue
  try {
    const found = findBrowser(browser)
    process.stdout.write(
      found === undefined ? `Installed ${install(browser)}\n` : `Found ${found}\n`,
    )
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
