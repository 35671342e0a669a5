/** Says what keeps a version from being released: `npm run check:release -- v1.2.3`. */
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** The problems of releasing what is here under a tag. */
export function releaseProblems(
  tag: string,
  { manifest, changelog }: { readonly manifest: string; readonly changelog: string },
): string[] {
  const { version } = JSON.parse(manifest)
  return [
    tag === `v${version}` ? '' : `the tag is ${tag || 'missing'}, but package.json has ${version}`,
    manifest.includes('OWNER/') ? 'package.json names no owner: see "Release a version"' : '',
    changelog.includes(`\n## ${version}\n`) ? '' : `CHANGELOG.md has no heading "## ${version}"`,
  ].filter((problem) => problem !== '')
}

if (import.meta.main) {
  const problems = releaseProblems(argv[2] ?? '', {
    manifest: read('package.json'),
    changelog: read('CHANGELOG.md'),
  })
  for (const problem of problems) process.stderr.write(`Cannot release: ${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
