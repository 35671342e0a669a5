import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseProblems } from '../../scripts/check-release.ts'
import { projectFolder } from './project-folder.ts'

const manifest = readFileSync(join(projectFolder, 'package.json'), 'utf8')
const { version } = JSON.parse(manifest)

describe('releaseProblems()', () => {
  it('finds none where tag, owner and changelog are right', () => {
    const ready = {
      manifest: manifest.replaceAll('OWNER/', 'somebody/'),
      changelog: `# Changelog\n\n## ${version}\n`,
    }
    expect(releaseProblems(`v${version}`, ready)).toEqual([])
  })

  it('names each thing that is missing', () => {
    expect(releaseProblems('v0.0.1', { manifest, changelog: '## Unreleased\n' })).toEqual([
      `the tag is v0.0.1, but package.json has ${version}`,
      'package.json names no owner: see "Release a version"',
      `CHANGELOG.md has no heading "## ${version}"`,
    ])
  })
})

describe('the owner of the repository', () => {
  it('stands in package.json alone', () => {
    const found = execFileSync('git', ['grep', '-lE', 'OWNER/petstore-sandbox'], {
      cwd: projectFolder,
      encoding: 'utf8',
    })
    const files = found.trim().split('\n')
    expect(files.filter((file) => !file.startsWith('test/'))).toEqual(['package.json'])
  })
})
