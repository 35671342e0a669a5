import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseProblems, withAddresses } from '../../../scripts/release.ts'
import { auditFindings, sbom } from '../../../scripts/sbom.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'
import { projectFolder } from '../../unit/package/project-folder.ts'

const manifest = readFileSync(join(projectFolder, 'package.json'), 'utf8')
const { version } = JSON.parse(manifest)

describe('releaseProblems()', () => {
  it('finds none where tag, repository and changelog are right', () => {
    const ready = {
      manifest: JSON.stringify({ ...JSON.parse(manifest), repository: {} }),
      changelog: `# Changelog\n\n## ${version}\n`,
    }
    expect(releaseProblems(`v${version}`, ready)).toEqual([])
  })

  it('names each thing that is missing', () => {
    expect(releaseProblems('v0.0.1', { manifest, changelog: '## Unreleased\n' })).toEqual([
      `the tag is v0.0.1, but package.json has ${version}`,
      'package.json names no repository: see MAINTAINING.md',
      `CHANGELOG.md has no heading "## ${version}"`,
    ])
  })
})

describe('withAddresses()', () => {
  it('S20: leaves no picture that only a clone has', () => {
    const documents = globSync(['README.md', 'docs/**/*.md'], { cwd: projectFolder })
    const texts = documents.map((file) => readFileSync(join(projectFolder, file), 'utf8'))
    const released = texts.map((text) =>
      withAddresses(text, 'git+https://github.com/someone/pets.git', 'v1.2.3'),
    )
    const pictures = released.flatMap((text) => text.match(/[^"(\s]*\.(?:png|svg)\b/g) ?? [])
    expect(pictures).not.toEqual([])
    for (const picture of pictures) {
      const [, path = ''] =
        /^https:\/\/raw\.githubusercontent\.com\/someone\/pets\/v1\.2\.3\/(.*)$/.exec(picture) ?? []
      expect(existsSync(join(projectFolder, path || picture)), picture).toBe(path !== '')
    }
  })
})

describe('sbom()', () => {
  it('lists each package with modules in dist, and the dependencies, as npm does', () => {
    expectFreshBuild()
    const { components } = sbom()
    const names = components.map(({ name }) => name)
    // Of the command line, of the server and what it needs in turn, of the console, and what npm installs.
    for (const name of ['yargs', 'express', 'router', 'preact', '@faker-js/faker']) {
      expect(names).toContain(name)
    }
    for (const name of ['node', 'vitest', 'typescript']) expect(names).not.toContain(name)
  })
})

describe('auditFindings()', () => {
  const packed = ['body-parser@2.2.0', 'qs@6.14.0']

  it('has a line for each vulnerable package that users get', () => {
    const qs = {
      name: 'qs',
      severity: 'high',
      via: [{ title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-1' }],
    }
    const bodyParser = { name: 'body-parser', severity: 'high', via: ['qs'] }
    const vite = { name: 'vite', severity: 'low', via: ['esbuild'] }
    const report = JSON.stringify({ vulnerabilities: { qs, 'body-parser': bodyParser, vite } })
    expect(auditFindings(report, packed)).toEqual([
      'qs (high): Prototype pollution https://github.com/advisories/GHSA-1',
      'body-parser (high): qs',
    ])
  })

  it.each([
    { report: '{"message":"405 Method Not Allowed"}', reason: '405 Method Not Allowed' },
    { report: '{"error":{"summary":"request failed"}}', reason: 'request failed' },
    { report: '', reason: 'it printed no report' },
  ])('says that nothing was checked without an answer of the registry: $reason', (given) => {
    expect(auditFindings(given.report, packed)).toEqual([
      `npm audit has checked nothing: ${given.reason}`,
    ])
  })
})
