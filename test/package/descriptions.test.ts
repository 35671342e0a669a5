import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { requestOf } from '../kit/send.ts'
import { projectFolder } from './project-folder.ts'

const dist = join(projectFolder, 'dist')

async function descriptionOf(sandbox: Sandbox): Promise<unknown> {
  const request = { ...requestOf({}), url: '/_sandbox/control.openapi.json' }
  const reply = await sandbox.handleControl(request)
  expect(reply).toMatchObject({ kind: 'reply', status: 200 })
  return 'body' in reply ? JSON.parse(reply.body) : undefined
}

/** The modules of the package with a text, by name. */
function modulesWith(text: string): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:chunks\/)?[\w-]+\.js$/.test(path))
    .filter((path) => readFileSync(join(dist, path), 'utf8').includes(text))
}

describe('the descriptions of the package', () => {
  it('are those of the source', async () => {
    expectFreshBuild()
    const built: { createSandbox: typeof createSandbox } = await import(`${dist}/index.js`)
    const [of, from] = [built.createSandbox(), createSandbox()]
    expect(await descriptionOf(of)).toEqual(await descriptionOf(from))
  })

  it('are in no module that reads what they describe', () => {
    expectFreshBuild()
    for (const text of [
      'How many requests it strikes; all by default.',
      'Only entries with a higher id.',
      'The connection is closed in the middle of the body.',
    ]) {
      expect(modulesWith(text)).toEqual(['control-descriptions.js'])
    }
  })
})
