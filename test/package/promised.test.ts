import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from './project-folder.ts'
import recorded from './promised.json' with { type: 'json' }

/** What `docs/about/versions.md` promises something about, and the headings of a changelog under which a change of it belongs. */
const promised = {
  reference: { files: 'docs/reference/types/*.md', headings: ['Added', 'Changed', 'Removed'] },
  controls: {
    files: 'test/mock/controls/http/control-shapes.txt',
    headings: ['Added', 'Changed', 'Removed'],
  },
  verdicts: {
    files: 'test/checks/audit/verdicts/*',
    headings: ['Added', 'Changed', 'Fixed', 'Removed'],
  },
} as const

function read(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8').replaceAll('\r\n', '\n')
}

/** A digest of all files of a pattern, with their names. */
function digestOf(pattern: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(pattern, { cwd: projectFolder }).toSorted()) {
    hash.update(`${file.replaceAll('\\', '/')}\n${read(file)}\n`)
  }
  return hash.digest('hex')
}

const changelog = read('CHANGELOG.md')

/** The heading under which a line of the changelog stands. */
function headingOf(entry: string): string | undefined {
  return changelog
    .split(/^##+ /m)
    .find((part) => part.includes(`\n- ${entry}`))
    ?.split('\n')[0]
}

describe.each(Object.entries(promised))('the promised %s', (name, { files, headings }) => {
  /** The version that promised it, or the beginning of the line about its last change. */
  const record: { sha256: string; since?: string; entry?: string } | undefined = Object.entries(
    recorded,
  ).find(([one]) => one === name)?.[1]

  it('changes only with a line in the changelog', () => {
    expect(
      digestOf(files),
      `${files} has changed: describe it in CHANGELOG.md under ${headings.join(', ')}, and put the new digest and, in place of "since", the beginning of that line as "entry" into test/package/promised.json. Until ${record?.since} is published, the digest is enough`,
    ).toBe(record?.sha256)
  })

  it('has that line under the right heading, or is as a version promised it', () => {
    if (record?.entry === undefined) expect(changelog).toContain(`\n## ${record?.since}\n`)
    else expect(headings).toContain(headingOf(record.entry))
  })
})
