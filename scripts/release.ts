/** Packs a version into `release/` with its SBOM: `npm run release -- v1.2.3`; says what keeps it from being released. */
import { execSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Puts the addresses of pictures, which the package doesn't have, into a document: those of the tag on GitHub. */
export function withAddresses(markdown: string, repository: string, tag: string): string {
  const place = repository.replace(/^.*github\.com\/|\.git$/g, '')
  const base = `https://raw.githubusercontent.com/${place}/${tag}`
  return markdown.replace(
    /(?<=\bsrc(?:set)?="|\]\()(?:\.\.\/)*([\w/-]+\.png)(?=["\s)])/g,
    (_, path: string) => `${base}/${/^(?:docs|examples)\//.test(path) ? path : `docs/${path}`}`,
  )
}

/** Packs the package, which builds it first. */
function pack(tag: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const documents = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map((file) => {
    const path = join(root, file)
    return { path, text: readFileSync(path, 'utf8') }
  })
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const { path, text } of documents) {
    writeFileSync(path, withAddresses(text, repository.url, tag))
  }
  try {
    execSync('npm pack --pack-destination release', { cwd: root, stdio: 'inherit' })
  } finally {
    for (const { path, text } of documents) writeFileSync(path, text)
  }
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom(), undefined, 2)}\n`)
}

if (import.meta.main) {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const tag = argv[2] ?? ''
  const texts = { manifest: read('package.json'), changelog: read('CHANGELOG.md') }
  const problems = releaseProblems(tag, texts)
  if (problems.length === 0) {
    pack(tag)
    problems.push(...audit())
  }
  for (const problem of problems) process.stderr.write(`Cannot release: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
