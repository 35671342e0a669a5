import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorOf } from '../kit/interface-document.ts'
import { packedFiles } from '../kit/packed-files.ts'
import { projectFolder } from './project-folder.ts'

const packed = packedFiles()

/** Documents that are in the package; the licences of others are not ours to fix. */
const inPackage = packed.filter((path) => /^(?!dist\/).*\.md$/.test(path))

/** Documents for who works on a clone. */
const inClone = globSync(['CONTRIBUTING.md', 'MAINTAINING.md', 'decisions/*.md', 'bench/*.md'], {
  cwd: projectFolder,
})

const fence = /^(`{3,}).*$[\s\S]*?^\1$/gm

/** A link, or a picture of HTML. */
const link = /\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g

/** Reads a document without its blocks of code. */
function proseOf(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8').replace(fence, '')
}

/** Lists what links to a document can end in: its headings, the second of a name with a number, and marked places. */
function anchorsIn(text: string): string[] {
  const seen = new Map<string, number>()
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading)
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
  const marked = [...text.matchAll(/<a id="([^"]*)">/g)].map(([, id = '']) => id)
  return [...headings, ...marked]
}

/** Says which links of a document lead nowhere. */
function deadLinks(path: string, isThere: (target: string) => boolean): string[] {
  const links = [...proseOf(path).matchAll(link)].map(
    ([, target, picture]) => target ?? picture ?? '',
  )
  return links.filter((written) => {
    if (/^[a-z]+:/.test(written)) return false
    const [file = '', anchor] = written.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!isThere(target)) return true
    return anchor !== undefined && !anchorsIn(proseOf(target)).includes(anchor)
  })
}

describe('the documents in the package', () => {
  it('are found', () => {
    expect(inPackage).toContain('docs/guides/tests.md')
    expect(inPackage).toContain('examples/standalone/README.md')
  })

  it.each(inPackage)('link only to what is in it too, but for pictures: %s', (path) => {
    const isThere = (target: string): boolean =>
      /\.(?:png|svg)$/.test(target)
        ? existsSync(join(projectFolder, target))
        : packed.includes(target)
    expect(deadLinks(path, isThere)).toEqual([])
  })
})

describe('decisions/README.md', () => {
  it('lists each decision, under its title', () => {
    const notes = globSync('decisions/0*.md', { cwd: projectFolder }).sort()
    const titles = notes.map((path) => {
      const [, title] =
        /^# \d{3} – (.*)$/m.exec(readFileSync(join(projectFolder, path), 'utf8')) ?? []
      return `[${title}](${posix.basename(path)})`
    })
    const index = readFileSync(join(projectFolder, 'decisions/README.md'), 'utf8')
    expect(index.match(/\[.*?\]\(\d{3}-.*?\)/g)).toEqual(titles)
  })
})

/** A file or a folder of the repository, named in running text; without a place for a name, such as `<name>`. */
const place = /`((?:bench|build|decisions|docs|examples|fixtures|scripts|src|test)\/[\w./-]+)`/g

describe('the documents of a clone', () => {
  it.each(inClone)('name only files that are there: %s', (path) => {
    const named = [...proseOf(path).matchAll(place)].map(([, file = '']) => file)
    expect(named.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([])
  })

  it.each(inClone)('link only to what is there: %s', (path) => {
    expect(deadLinks(path, (target) => existsSync(join(projectFolder, target)))).toEqual([])
  })
})
