import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documentsFolder, programLine, programName } from '../../../src/cli/program.ts'
import { testFolder } from '../../kit/cli-process.ts'

/** A folder with the program in it, as a global install makes one. */
function folderOnPath(): string {
  const folder = join(testFolder(), 'bin')
  mkdirSync(folder)
  const file = join(folder, 'petstore-sandbox')
  writeFileSync(file, '')
  chmodSync(file, 0o755)
  return folder
}

const project = '/home/me/project'
const local = `${project}/node_modules/.bin/petstore-sandbox`
const elsewhere = '/home/me/.npm/_npx/1a2b/node_modules/.bin/petstore-sandbox'

describe('programName()', () => {
  it.each([
    { how: 'npx in a project', script: local, event: 'npx', name: 'npx petstore-sandbox' },
    { how: 'npx without one', script: elsewhere, event: 'npx', name: 'npx petstore-sandbox' },
    { how: 'a script of npm', script: local, event: 'test', name: 'npx petstore-sandbox' },
    { how: 'its path', script: local, event: undefined, name: 'npx petstore-sandbox' },
    {
      how: 'a clone',
      script: `${project}/bin/petstore-sandbox`,
      event: 'start',
      name: 'node bin/petstore-sandbox',
    },
    {
      how: 'a clone elsewhere',
      script: '/home/me/a clone/bin/petstore-sandbox',
      event: undefined,
      name: "node '/home/me/a clone/bin/petstore-sandbox'",
    },
  ])('is what starts it again after $how', ({ script, event, name }) => {
    const environment = {
      PATH: `${project}/node_modules/.bin:/usr/bin`,
      npm_lifecycle_event: event,
    }
    expect(programName({ script, folder: project, environment })).toBe(name)
  })

  it('is the name alone where a shell finds it, whether by a link or by a script of the package manager', () => {
    const folder = folderOnPath()
    const environment = { PATH: `/usr/bin:${folder}` }
    const start = { folder: project, environment }
    expect(programName({ ...start, script: join(folder, 'petstore-sandbox') })).toBe(
      'petstore-sandbox',
    )
    const script = '/opt/pnpm/global/5/node_modules/petstore-sandbox/bin/petstore-sandbox'
    expect(programName({ ...start, script })).toBe('petstore-sandbox')
    expect(programName({ ...start, script: local })).toBe('npx petstore-sandbox')
  })

  it('goes through yarn where npx finds nothing', () => {
    const script = `${project}/.yarn/cache/a.zip/node_modules/petstore-sandbox/bin/petstore-sandbox`
    const environment = { PATH: '', npm_config_user_agent: 'yarn/4.18.0 npm/? node/v20' }
    expect(programName({ script, folder: project, environment })).toBe('yarn petstore-sandbox')
  })

  it('goes through pnpm in a project that may require it', () => {
    const environment = { PATH: '', npm_config_user_agent: 'pnpm/12.0.1 npm/? node/v24' }
    const start = { script: local, folder: project, environment }
    expect(programName(start)).toBe('pnpm exec petstore-sandbox')
  })
})

describe('programLine()', () => {
  it('is the name and the words', () => {
    expect(programLine('reset')).toBe(`${programName()} reset`)
    expect(programLine('')).toBe(programName())
  })
})

describe('documentsFolder()', () => {
  it('is a folder of this project, or where the package is', () => {
    expect(documentsFolder()).toMatch(/^(?:node_modules\/petstore-sandbox\/docs|docs)$/)
  })
})
