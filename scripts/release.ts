/** Packs a version into `release/` with its SBOM: `npm run release -- v1.2.3`; says what keeps it from being released. */
import { execSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { audit, sbom } from './sbom.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'release')

/** The problems of releasing what is here under a tag. */
export function releaseProblems(
  tag: string,
  { manifest, changelog }: { readonly manifest: string; readonly changelog: string },
): string[] {
  const { version, repository } = JSON.parse(manifest)
  return [
    tag === `v${version}` ? '' : `the tag is ${tag || 'missing'}, but package.json has ${version}`,
    repository === undefined ? 'package.json names no repository: see MAINTAINING.md' : '',
    changelog.includes(`\n## ${version}\n`) ? '' : `CHANGELOG.md has no heading "## ${version}"`,
  ].filter((problem) => problem !== '')
}

/** Packs the package, which builds it first. */
function pack(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  execSync('npm pack --pack-destination release', { cwd: root, stdio: 'inherit' })
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom(), undefined, 2)}\n`)
}

if (import.meta.main) {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const texts = { manifest: read('package.json'), changelog: read('CHANGELOG.md') }
  const problems = releaseProblems(argv[2] ?? '', texts)
  if (problems.length === 0) {
    pack()
    problems.push(...audit())
  }
  for (const problem of problems) process.stderr.write(`Cannot release: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
