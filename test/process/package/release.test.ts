import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseProblems } from '../../../scripts/release.ts'
import { auditFindings, packedPackages, sbom } from '../../../scripts/sbom.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'
import { projectFolder } from '../../unit/package/project-folder.ts'

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
      'package.json names no owner: see MAINTAINING.md',
      `CHANGELOG.md has no heading "## ${version}"`,
    ])
  })
})

describe('sbom()', () => {
  it('lists each package with modules in dist, and the dependencies', () => {
    expectFreshBuild()
    const { components } = sbom() as { components: { name: string; licenses: unknown[] }[] }
    const names = components.map(({ name }) => name)
    // Of the command line, of the server and what it needs in turn, of the console, and what npm installs.
    for (const name of ['yargs', 'express', 'qs', 'preact', '@faker-js/faker']) {
      expect(names).toContain(name)
    }
    for (const name of ['node', 'vitest', 'typescript']) expect(names).not.toContain(name)
    for (const { licenses } of components) expect(licenses).not.toEqual([{ expression: '' }])
  })

  it('names them as CycloneDX does, with the digest of what npm installs', () => {
    expectFreshBuild()
    const faker = packedPackages()
      .flat()
      .find(({ name }) => name === '@faker-js/faker')
    const sha512 = Buffer.from(faker?.integrity.slice('sha512-'.length) ?? '', 'base64')
    expect(sha512).toHaveLength(64)
    expect(sbom()).toMatchObject({
      bomFormat: 'CycloneDX',
      components: expect.arrayContaining([
        expect.objectContaining({
          purl: `pkg:npm/%40faker-js/faker@${faker?.version}`,
          hashes: [{ alg: 'SHA-512', content: sha512.toString('hex') }],
        }),
      ]),
    })
  })
})

describe('auditFindings()', () => {
  it('finds nothing where npm finds nothing', () => {
    expect(auditFindings('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual([])
  })

  it('has a line for each vulnerable package', () => {
    const qs = {
      name: 'qs',
      severity: 'high',
      via: [{ title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-1' }],
    }
    const bodyParser = { name: 'body-parser', severity: 'high', via: ['qs'] }
    const report = JSON.stringify({ vulnerabilities: { qs, 'body-parser': bodyParser } })
    expect(auditFindings(report)).toEqual([
      'qs (high): Prototype pollution https://github.com/advisories/GHSA-1',
      'body-parser (high): qs',
    ])
  })

  it.each([
    { report: '{"message":"405 Method Not Allowed"}', reason: '405 Method Not Allowed' },
    { report: '{"error":{"summary":"request failed"}}', reason: 'request failed' },
    { report: '', reason: 'it printed no report' },
  ])('says that nothing was checked without an answer of the registry: $reason', (given) => {
    expect(auditFindings(given.report)).toEqual([`npm audit has checked nothing: ${given.reason}`])
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
