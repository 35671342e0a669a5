import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What the package may hold: a pattern for each folder, and one for the files beside them. */
const allowed = [
  /^(?:package\.json|llms\.txt|(?:README|CHANGELOG|AGENTS|SECURITY)\.md|LICENSE)$/,
  /^skills\/petstore-sandbox\/SKILL\.md$/,
  /^bin\/petstore-sandbox$/,
  /^fixtures\/(?:(?:keys|pets)\.json|conformance\/[\w.-]+\.(?:json|md))$/,
  /^dist\/(?:THIRD-PARTY\.md|capture\.schema\.json|(?:chunks\/)?[\w-]+\.js|types\/.*\.d\.ts)$/,
  /^dist\/console\/(?:[\w-]+\.(?:html|js)|(?:console|playground)\.css|(?:playground-)?THIRD-PARTY\.md)$/,
  /^docs\/(?:[\w-]+\/)*[\w-]+\.md$/,
  /^examples\/(?:README\.md|[\w-]+\/(?:(?:src|test|tests)\/)?[\w.-]+\.(?:md|txt|json|[jt]s|py|sh|html|css|svg|yaml))$/,
]

/** What it must hold beside the targets of `exports`. */
const needed = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'SECURITY.md',
  'llms.txt',
  'bin/petstore-sandbox',
  'dist/THIRD-PARTY.md',
  'dist/capture.schema.json',
  'dist/console/index.html',
  'examples/README.md',
  'fixtures/conformance/README.md',
]

/** Says which of some files the package should not hold, and which it lacks. */
export function wrongFiles(files: readonly string[]): string[] {
  return [
    ...files
      .filter((file) => !allowed.some((pattern) => pattern.test(file)))
      .map((file) => `${file} should not be there`),
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
  ]
}

/** Gives the files in a folder, with the paths that they have in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
}

/**
 * Says in which files of a folder something of this machine stands: a path or a registry.
 *
 * @param places Where the package was built.
 */
export function tracesOfMachine(folder: string, places: readonly string[]): string[] {
  const paths = [...places, homedir()].map((path) => path.replace(/[\\/]*$/, '/'))
  const pattern = new RegExp(
    [
      ...paths.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
      '\\bfile:///',
      '/(?:home|Users)/\\w+/',
      '[A-Z]:\\\\\\\\Users',
      '\\bregistry\\.[a-z]',
    ].join('|'),
  )
  return filesIn(folder).flatMap((file) => {
    const found = pattern.exec(readFileSync(join(folder, file), 'utf8'))
    return found === null ? [] : [`${file} has ${JSON.stringify(found[0])}`]
  })
}

/** What each build bundles, at least, by the file that lists it. */
const bundledIn = {
  'dist/THIRD-PARTY.md': ['@msw/data', 'express', 'jsonc-parser', 'yargs'],
  'dist/console/THIRD-PARTY.md': ['preact'],
  'dist/console/playground-THIRD-PARTY.md': ['@msw/data', 'axios', 'axios-retry', 'preact'],
} as const

/** Says which of the packages that are bundled have no licence in the file that lists those of their build. */
export function missingLicences(folder: string): string[] {
  return Object.entries(bundledIn).flatMap(([file, bundled]) =>
    unlicensed(join(folder, file), bundled),
  )
}

function unlicensed(file: string, bundled: readonly string[]): string[] {
  const text = readFileSync(file, 'utf8')
  const [, ...sections] = text.split(/^## /m)
  const listed = sections.map((section) => /^(\S+) - /.exec(section)?.[1])
  return [
    ...bundled.filter((name) => !listed.includes(name)).map((name) => `${name} is not listed`),
    ...sections
      .filter((section) => section.length < 300)
      .map((section) => `no licence for ${section.trim().split('\n')[0]}`),
  ]
}
