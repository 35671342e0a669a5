/**
 * Prints an SBOM (CycloneDX) of the packages that users get with the tarball: those bundled in `dist/`, and the
 * dependencies. Needs a build; with `--audit`, runs `npm audit` over these packages instead.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import lockfile from '../package-lock.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/** Entry of the lockfile: where npm installs the package, and what it installs. */
interface Installed {
  readonly place: string
  readonly name: string
  readonly version: string
  readonly license: string
  /** As in the lockfile: `sha512-` and base64. */
  readonly integrity: string
}

/** Packages that npm installs here; the same one may be in several places. */
const installed = Object.entries<Record<string, unknown>>(lockfile.packages).map(
  ([place, entry]): Installed => ({
    place,
    name: String(entry.name ?? place.split('node_modules/').at(-1)),
    version: String(entry.version),
    license: String(entry.license ?? ''),
    integrity: String(entry.integrity ?? ''),
  }),
)

/** Lists the `name@version` of each package of which a bundle contains a module: Vite's list of licences names them. */
function bundledIn(licences: string): string[] {
  return [...licences.matchAll(/^## (\S+) - (\S+)/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  )
}

/**
 * Lists the packages that users get, in every place where npm installs them here.
 *
 * @throws Error if a bundle contains a package that the lockfile doesn't have.
 */
export function packedPackages(): Installed[][] {
  const bundled = ['dist/THIRD-PARTY.md', 'dist/console/THIRD-PARTY.md'].flatMap((file) =>
    bundledIn(readFileSync(join(root, file), 'utf8')),
  )
  const dependencies = Object.entries(manifest.dependencies).map((one) => one.join('@'))
  return [...new Set([...bundled, ...dependencies])].sort().map((id) => {
    const found = installed.filter(({ name, version }) => `${name}@${version}` === id)
    if (found.length === 0) throw new Error(`Cannot list ${id}: it isn't in package-lock.json`)
    return found
  })
}

/** Describes the packages as CycloneDX 1.5. */
export function sbom(): object {
  const components = packedPackages().flatMap(([one]) =>
    one === undefined ? [] : [component(one)],
  )
  const { name, version, license } = manifest
  const self = {
    ...described(name, version),
    type: 'application',
    licenses: [{ license: { id: license } }],
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: self },
    components,
    dependencies: [
      { ref: self['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) },
      ...components.map((one) => ({ ref: one['bom-ref'], dependsOn: [] })),
    ],
  }
}

function component({ name, version, license, integrity }: Installed) {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  return {
    ...described(name, version),
    type: 'library',
    licenses: [{ expression: license }],
    hashes: [{ alg: 'SHA-512', content }],
  }
}

function described(name: string, version: string) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { name, version, purl, 'bom-ref': purl }
}

/** Runs `npm audit` over the packages, and lists its findings. */
export function audit(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-audit-'))
  const places = packedPackages()
    .flat()
    .map(({ place, name, version, integrity }) => [place, { name, version, integrity }] as const)
  const dependencies = Object.fromEntries(
    places
      .filter(([place]) => place.lastIndexOf('node_modules/') === 0)
      .map(([place, { name, version }]) => {
        const alias = place.replace('node_modules/', '')
        return [alias, alias === name ? version : `npm:${name}@${version}`]
      }),
  )
  const packages = { '': { dependencies }, ...Object.fromEntries(places) }
  const write = (file: string, content: object): void =>
    writeFileSync(join(folder, file), JSON.stringify(content))
  write('package.json', { private: true, dependencies })
  write('package-lock.json', { lockfileVersion: 3, requires: true, packages })
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  rmSync(folder, { recursive: true })
  return auditFindings(stdout)
}

/**
 * Reads the report of `npm audit --json`: one line for each vulnerable package.
 *
 * A registry that doesn't answer is a finding, too: nothing was checked.
 */
export function auditFindings(report: string): string[] {
  const { vulnerabilities, message, error } = JSON.parse(report || '{}')
  if (vulnerabilities === undefined) {
    return [`npm audit has checked nothing: ${message ?? error?.summary ?? 'it printed no report'}`]
  }
  return Object.values<Vulnerability>(vulnerabilities).map(({ name, severity, via }) => {
    const titles = via.map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`))
    return `${name} (${severity}): ${titles.join(', ')}`
  })
}

interface Vulnerability {
  readonly name: string
  readonly severity: string
  readonly via: readonly (string | { readonly title: string; readonly url: string })[]
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
