/** Finds the Chromium that the tests run in, or installs one; says in one line which. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findChromium } from './chromium.ts'

type Command = readonly [name: string, ...args: string[]]

/** What apt has of Chromium: without windows, and, in older releases, only with. */
const aptPackages = ['chromium-headless-shell', 'chromium'] as const

const aptCommands = (name: string): readonly Command[] => [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', '--no-install-recommends', name],
]

const playwrightCommands: readonly Command[] = [['npx', 'playwright', 'install', 'chromium']]

/** Whether apt has a Chromium here; Ubuntu's is only a hint at a snap. */
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

function installChromium(): string {
  const ways = [...(isDebianRoot() ? aptPackages.map(aptCommands) : []), playwrightCommands]
  let tried = ''
  for (const commands of ways) {
    tried += run(commands) ?? ''
    const path = findChromium()
    if (path !== undefined) return path
  }
  throw new Error(
    `Cannot install Chromium, which the tests run in:\n${tried}Install Chromium or Chrome, or set CHROMIUM_PATH to one`,
  )
}

try {
  const found = findChromium()
  const line = found === undefined ? `Installed ${installChromium()}` : `Found ${found}`
  process.stdout.write(`${line}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
