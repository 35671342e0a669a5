/**
 * Prints an SBOM (CycloneDX) of the packages that users get with the tarball: those bundled in `dist/`, and the
 * dependencies. Needs a build; with `--audit`, prints what `npm audit` finds in these packages instead.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

function npm(...args: readonly string[]): string {
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' } as const
  return spawnSync('npm', args, { ...options, maxBuffer: 2 ** 26 }).stdout
}

/** Lists the packages that users get as `name@version`: Vite's lists of licences name those that are bundled. */
function packedPackages(): string[] {
  const bundled = ['dist/THIRD-PARTY.md', 'dist/console/THIRD-PARTY.md'].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^## (\S+) - (\S+)/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  )
  const dependencies = Object.entries(manifest.dependencies).map((one) => one.join('@'))
  return [...new Set([...bundled, ...dependencies])].sort()
}

/** The parts of a CycloneDX document that are changed here. */
interface Bom {
  readonly metadata: { readonly component: object }
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string }[]
}

/**
 * Returns npm's SBOM without the packages that no user gets.
 *
 * @throws Error if a bundle contains a package that the lockfile doesn't have.
 */
export function sbom(): Bom {
  const bom: Bom = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx'))
  const packed = packedPackages()
  const components = bom.components.filter((one) => packed.includes(one['bom-ref']))
  const unknown = packed.filter((id) => !components.some((one) => one['bom-ref'] === id))
  if (unknown.length > 0) throw new Error(`Cannot list ${unknown}: package-lock.json lacks it`)
  const { name, version } = manifest
  return {
    ...bom,
    // npm takes the name of the folder.
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } },
    components,
    ...{ dependencies: [{ ref: `${name}@${version}`, dependsOn: packed }] },
  }
}

interface Vulnerability {
  readonly name: string
  readonly severity: string
  readonly via: readonly (string | { readonly title: string; readonly url: string })[]
}

/**
 * Reads the report of `npm audit --json`: one line for each vulnerable package of those that users get.
 *
 * A registry that doesn't answer is a finding, too: nothing was checked.
 */
export function auditFindings(report: string, packed: readonly string[]): string[] {
  const { vulnerabilities, message, error } = JSON.parse(report || '{}')
  if (vulnerabilities === undefined) {
    return [`npm audit has checked nothing: ${message ?? error?.summary ?? 'it printed no report'}`]
  }
  return Object.values<Vulnerability>(vulnerabilities)
    .filter(({ name }) => packed.some((id) => id.startsWith(`${name}@`)))
    .map(({ name, severity, via }) => {
      const titles = via.map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`))
      return `${name} (${severity}): ${titles.join(', ')}`
    })
}

/** Runs `npm audit`, and lists its findings in the packages that users get. */
export function audit(): string[] {
  return auditFindings(npm('audit', '--json'), packedPackages())
}

if (import.meta.main) {
  if (process.argv.includes('--audit')) {
    const findings = audit()
    for (const finding of findings) process.stderr.write(`${finding}\n`)
    process.stdout.write(`${packedPackages().length} packages, ${findings.length} findings\n`)
    if (findings.length > 0) process.exitCode = 1
  } else {
    process.stdout.write(`${JSON.stringify(sbom(), undefined, 2)}\n`)
  }
}
