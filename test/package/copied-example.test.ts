import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { projectFolder } from './project-folder.ts'

expectFreshBuild()

const run = promisify(execFile)

/** The examples that npm installs. */
const manifests = globSync('examples/*/package.json', { cwd: projectFolder })

/** Packs a package into a folder, and gives the file. */
async function pack(source: string, folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: source })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return `../${basename(filename)}`
}

describe('the examples', () => {
  it.each(manifests)('ask for a version that this is: %s', (path) => {
    const { devDependencies } = JSON.parse(readFileSync(join(projectFolder, path), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>
    }
    expect(devDependencies[manifest.name]).toBe(`^${manifest.version}`)
  })

  it('run when they are copied out, with the packed package: standalone', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-sandbox-copy-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const copy = join(folder, 'standalone')
    cpSync(join(projectFolder, 'examples/standalone'), copy, { recursive: true })
    // Beside the package what it needs, so that no registry is asked.
    const tarballs = await Promise.all(
      ['.', 'node_modules/@faker-js/faker'].map((source) =>
        pack(join(projectFolder, source), folder),
      ),
    )
    const install = ['install', '--offline', '--no-audit', '--no-fund', ...tarballs]
    await run('npm', install, { cwd: copy })
    const programs = join(copy, 'node_modules/.bin')
    const PATH = [programs, dirname(process.execPath), process.env.PATH].join(':')
    const exec = (...words: string[]) =>
      run('petstore-sandbox', ['exec', '--', ...words], { cwd: copy, env: { PATH, HOME: folder } })
    const client = await exec('node', 'client.js')
    expect(client.stdout).toMatch(/^Added Rex as number 31\n {3}1 {2}Bella\n/)
    const tour = await exec('sh', 'tour.sh')
    expect(tour.stdout.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(8)
  })
})
