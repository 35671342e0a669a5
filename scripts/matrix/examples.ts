import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumLaunchOptions } from '../browsers.ts'
import { runCommand } from './command.ts'
import { installInto } from './projects.ts'

/** An example of the package, and what its README says to type. */
interface Example {
  readonly name: string
  /** The examples that have to be copied out beside it. */
  readonly beside?: readonly string[]
  /** Prepares its folder for this machine. */
  readonly prepare?: (folder: string) => void
  readonly commands: readonly Command[]
}

interface Command {
  readonly words: readonly [string, ...string[]]
  /** What it ends with; 0 if left out. */
  readonly code?: number
  /** What it has to write. */
  readonly says?: RegExp
}

const sandbox = ['npx', 'petstore-sandbox'] as const
const test: Command = { words: ['npm', 'test'] }

/** Has Playwright start the browser that is there, since none can be fetched everywhere. */
function useChromium(folder: string): void {
  const launchOptions = JSON.stringify(chromiumLaunchOptions())
  writeFileSync(
    join(folder, 'here.config.ts'),
    `import config from './playwright.config.ts'
export default { ...config, reporter: 'line', use: { ...config.use, launchOptions: ${launchOptions} } }
`,
  )
}

/** All examples, run as their READMEs say. */
export const examples: readonly Example[] = [
  {
    name: 'client',
    commands: [
      test,
      { words: ['npm', 'run', 'check'], says: /^Check: nothing to fix/m },
      { words: ['npm', 'run', 'check:python'], says: /^Check: nothing to fix/m },
    ],
  },
  { name: 'vitest-msw', commands: [test] },
  { name: 'browser-msw', commands: [{ words: ['npm', 'run', 'build'] }] },
  {
    name: 'playwright',
    beside: ['browser-msw'],
    prepare: useChromium,
    commands: [{ words: ['npm', 'test', '--', '--config', 'here.config.ts'], says: /passed/ }],
  },
  {
    name: 'standalone',
    commands: [
      { words: [...sandbox, 'exec', '--', 'node', 'client.js'], says: /^Added Rex as number 31$/m },
      { words: [...sandbox, 'exec', '--', 'sh', 'tour.sh'], says: /^Sunset: /m },
    ],
  },
  {
    name: 'assumptions',
    commands: [test, { words: ['npm', 'run', 'check'], code: 4, says: /unknownQuery/ }],
  },
  {
    name: 'conformance-runner',
    commands: [
      {
        words: [
          ...sandbox,
          'exec',
          '--',
          'python3',
          'run.py',
          'node_modules/petstore-sandbox/fixtures/conformance',
        ],
      },
    ],
  },
]

/**
 * Copies an example out of the package, installs it with the packed package, and runs it.
 *
 * @param from The installed package.
 * @throws Error with what a command wrote that does not end or write as it should.
 */
export async function runExample(
  { name, beside = [], prepare, commands }: Example,
  folder: string,
  { from, tarball }: { readonly from: string; readonly tarball: string },
): Promise<void> {
  mkdirSync(folder)
  for (const copied of [...beside, name]) {
    cpSync(join(from, 'examples', copied), join(folder, copied), { recursive: true })
    await installInto(join(folder, copied), [tarball])
  }
  const cwd = join(folder, name)
  prepare?.(cwd)
  for (const { words, code = 0, says = /(?:)/ } of commands) {
    const ended = await runCommand(words, { cwd })
    if (ended.code === code && says.test(ended.output)) continue
    throw new Error(
      `Cannot run ${words.join(' ')}: it ended with ${ended.code}\n${ended.output.trim()}`,
    )
  }
}
