/** Installs what is missing, where that is Debian's. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

export type Command = readonly [name: string, ...args: string[]]

/** Whether apt may install here, and has what Debian has: Ubuntu's browsers are only hints at snaps. */
export function isDebianRoot(): boolean {
  const release = '/etc/os-release'
  return (
    process.getuid?.() === 0 &&
    existsSync(release) &&
    /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  )
}

/** @param names The packages, with spaces between. */
export function aptCommands(names: string): readonly Command[] {
  return [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', ...names.split(' ')],
  ]
}

/** Runs commands one after the other; says what went wrong, or nothing. */
export function run(commands: readonly Command[]): string | undefined {
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
