import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox.ts'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { requestOf } from '../kit/send.ts'
import { projectFolder } from './project-folder.ts'

const dist = join(projectFolder, 'dist')

const request = { ...requestOf({}), url: '/_sandbox/control.openapi.json' }

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
    const [of, from] = await Promise.all(
      [built.createSandbox(), createSandbox()].map((one) => one.handleControl(request)),
    )
    expect(of).toMatchObject({ status: 200 })
    expect('body' in of && JSON.parse(of.body)).toEqual('body' in from && JSON.parse(from.body))
  })

  it('are in no module that reads what they describe', () => {
    expectFreshBuild()
    for (const text of [
      'How many requests it strikes; all by default.',
      'Only entries with a higher id.',
      'The connection is closed in the middle of the body.',
    ]) {
      expect(modulesWith(text)).toEqual(['chunks/control-descriptions.js'])
    }
  })
})
