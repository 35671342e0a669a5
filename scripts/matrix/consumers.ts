import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformWithOxc } from 'vite'
import { chromiumLaunchOptions } from '../browsers.ts'
import { demand } from './command.ts'
import { root } from './projects.ts'

/** Programs that use one entry each, and are named after it. */
const folder = join(root, 'test/nightly/package/consumers')

/** The names of all consumers. */
export const consumers: readonly string[] = readdirSync(folder).map((file) => file.slice(0, -3))

/** Consumers that a test runner runs, under the names that it looks for. */
const testFiles: Readonly<Record<string, string>> = {
  vitest: 'vitest.test.ts',
  playwright: 'playwright.spec.ts',
}

/** The file that a consumer is in a project. */
export function fileOf(consumer: string): string {
  return testFiles[consumer] ?? `${consumer}.ts`
}

/** Puts all consumers into a project, as they are and, for a Node that reads no types, without them. */
export async function copyConsumers(project: string): Promise<void> {
  for (const consumer of consumers) {
    const source = join(folder, `${consumer}.ts`)
    copyFileSync(source, join(project, fileOf(consumer)))
    const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source)
    writeFileSync(join(project, `${consumer}.js`), code)
  }
}

/**
 * Runs a consumer in a project.
 *
 * @param node The Node to run it by.
 * @throws Error with what it wrote, when it fails.
 */
export async function runConsumer(consumer: string, project: string, node: string): Promise<void> {
  await demand([node, ...commandOf(consumer, project)], { cwd: project })
}

function commandOf(consumer: string, project: string): [string, ...string[]] {
  if (consumer === 'vitest') return ['node_modules/vitest/vitest.mjs', 'run', fileOf(consumer)]
  if (consumer !== 'playwright') return [`${consumer}.js`]
  const config = { reporter: 'line', use: { launchOptions: chromiumLaunchOptions() } }
  writeFileSync(join(project, 'playwright.config.js'), `export default ${JSON.stringify(config)}\n`)
  return ['node_modules/@playwright/test/cli.js', 'test', fileOf(consumer)]
}
