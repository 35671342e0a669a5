/**
 * Builds if a source has changed, finds or installs the browsers, and runs tests. Without arguments, those of every day: all of
 * test/unit, and what is tagged `everyday` in test/process and test/browser. `--all` runs all of these three, `--rest` what is not
 * tagged, `--nightly` test/nightly and many times as many draws. Folders and files run whole, whatever is tagged; other options
 * are Vitest's.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const everyday = [
  "vitest run --project unit --project 'example *'",
  'vitest run --project process --tags-filter everyday',
  "playwright test --grep '@everyday|readme/playwright'",
]

const rest = [
  "vitest run --project process --project browser --project page --tags-filter '!everyday'",
  "playwright test --grep-invert '@everyday|readme/playwright'",
]

const nightly = ['vitest run --project unit --typecheck=false', "vitest run --project 'nightly*'"]

/** The commands for folders and files: Playwright takes part if there is something for it. */
function commandsFor(args: readonly string[]): string[] {
  const words = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ')
  const paths = args.filter((arg) => !arg.startsWith('-'))
  const specs = paths.flatMap((path) => globSync([path, `${path}/**`], { cwd: root }))
  const isOfPlaywright = specs.some((path) => path.endsWith('.spec.ts'))
  return [
    `vitest run --passWithNoTests ${words}`,
    ...(isOfPlaywright ? [`playwright test ${words}`] : []),
  ]
}

const args = process.argv.slice(2)
const missing = args.find(
  (arg) =>
    arg.startsWith('test/') && globSync(arg.replace(/:\d+$/, ''), { cwd: root }).length === 0,
)
if (missing !== undefined) {
  process.stderr.write(`Cannot run ${missing}: there is no such folder or file\n`)
  process.exit(1)
}
if (args.includes('--nightly')) process.env.TEST_RUNS ??= '5'
const sets: Readonly<Record<string, readonly string[]>> = {
  '': everyday,
  '--all': [...everyday, ...rest],
  '--rest': rest,
  '--nightly': nightly,
}

/** Runs a command; returns whether it has succeeded. */
function run(command: string): boolean {
  process.stdout.write(`\n> ${command}\n`)
  return spawnSync(command, { cwd: root, shell: true, stdio: 'inherit' }).status === 0
}

const browsers = /^--(?:all|rest)$/.test(args.join(' ')) ? 'chromium firefox webkit' : 'chromium'
const isReady = [
  'node build/build.ts --if-stale',
  'node scripts/link-package.ts',
  `node scripts/install-browser.ts ${browsers}`,
].every(run)
const failed = isReady
  ? (sets[args.join(' ')] ?? commandsFor(args)).filter((command) => !run(command))
  : ['']
process.exitCode = failed.length > 0 ? 1 : 0
