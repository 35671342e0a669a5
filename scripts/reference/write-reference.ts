/** Writes the reference of the package's entries as Markdown: `node write-reference.ts FOLDER`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Application,
  DeclarationReflection,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from 'typedoc'
import { expandTypes } from './expand-types.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [, , folder = join(root, 'docs/reference/types')] = process.argv
// Below our own packages, which the declarations import.
const work = fileURLToPath(new URL('.generated', import.meta.url))

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Makes a file for each entry, whose name is that of its page, and gives these names. */
function writeEntries(): string[] {
  mkdirSync(join(work, 'entries'))
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return []
    const name = entry === '.' ? manifest.name : entry.slice(2)
    const types = target.types.replace('./dist/', '../').replace('.d.ts', '.ts')
    writeFileSync(join(work, 'entries', `${name}.d.ts`), `export * from '${types}'\n`)
    return [name]
  })
}

/** How a page's entry is imported. */
function importOf(page: string): string {
  return page === manifest.name ? page : `${manifest.name}/${page}`
}

/** Takes out what says nothing to a reader: where a member is inherited from, and what it overrides. */
function tidied(text: string): string {
  return text.replace(/^#+ (?:Overrides|Inherited from)\n\n.*\n\n/gm, '')
}

/** Lists the entries, with what a program can import from each beside types. */
function indexOf({ children = [] }: ProjectReflection): string {
  const rows = children.map(({ name, children: members = [] }) => {
    const values = members.filter(
      ({ kind }) => kind & (ReflectionKind.SomeValue | ReflectionKind.Class),
    )
    const names = values.map((one) => `\`${one.name}\``).join(', ')
    return `| [\`${importOf(name)}\`](${name}.md) | ${names} |\n`
  })
  return `# Types

Every entry of the package, with its types; made from these by \`npm run docs\`. What to do with them is in the
[guides](../../README.md).

| entry | exports, beside types |
|---|---|
${rows.join('')}`
}

function isCall(one: Reflection): boolean {
  return one.kindOf(ReflectionKind.CallSignature)
}

/** Names the exports and members that an editor would show without a sentence. */
function undescribedIn(project: ProjectReflection): string[] {
  const { SomeType, SomeValue, SomeMember, CallSignature, Constructor, TypeParameter } =
    ReflectionKind
  const kinds = SomeType | SomeValue | SomeMember | CallSignature
  return project
    .getReflectionsByKind(kinds & ~(Constructor | TypeParameter))
    .filter((one) => !(one instanceof DeclarationReflection && one.signatures !== undefined))
    .filter((one) => !one.hasComment() && !(isCall(one) && one.parent?.hasComment()))
    .map((one) => one.getFullName())
    .filter((name) => !name.endsWith('__type'))
}

rmSync(work, { recursive: true, force: true })
expandTypes(join(root, 'dist/types'), join(work, 'types'))
const entries = writeEntries()
writeFileSync(
  join(work, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['types', 'entries'],
  }),
)
const app = await Application.bootstrapWithPlugins({
  entryPoints: entries.map((name) => join(work, 'entries', `${name}.d.ts`)),
  sortEntryPoints: false,
  tsconfig: join(work, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
  name: manifest.name,
  readme: 'none',
  out: folder,
  disableSources: true,
  excludeExternals: true,
  groupOrder: ['Functions', 'Variables', 'Classes', '*'],
  logLevel: 'Error',
  validation: { invalidLink: false, notExported: false, notDocumented: false },
  // Options of the plugins.
  ...{
    placeInternalsInOwningModule: true,
    router: 'module',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    hideGroupHeadings: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
    pageTitleTemplates: {
      index: () => 'Reference',
      module: ({ rawName }: { readonly rawName: string }) => importOf(rawName),
    },
  },
})
const project = await app.convert()
if (project === undefined) throw new Error('Cannot read the declarations: run "npm run build"')
const undescribed = undescribedIn(project)
if (undescribed.length > 0) throw new Error(`Cannot find a doc comment: ${undescribed.join(', ')}`)
rmSync(folder, { recursive: true, force: true })
await app.generateOutputs(project)
for (const file of readdirSync(folder)) {
  const path = join(folder, file)
  writeFileSync(path, tidied(readFileSync(path, 'utf8')))
}
writeFileSync(join(folder, 'README.md'), indexOf(project))
rmSync(work, { recursive: true, force: true })
