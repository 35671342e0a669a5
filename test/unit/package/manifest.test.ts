import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { projectFolder } from './project-folder.ts'

/** The major versions that a range such as `^2.10.0 || ^3.0.0` admits. */
const majorsIn = (range: string): string[] =>
  [...range.matchAll(/\^(\d+)\./g)].map(([, major = '']) => major)

describe('package.json', () => {
  const { bin, devDependencies, engines, files, peerDependencies, peerDependenciesMeta } = manifest

  it('asks for the Node that the README does', () => {
    expect(engines.node).toBe('>=20.19')
    expect(readFileSync(join(projectFolder, 'README.md'), 'utf8')).toContain('Node 20.19 or newer')
  })

  it('has a program that a shell can start', () => {
    const program = join(projectFolder, bin['petstore-sandbox'])
    accessSync(program, constants.X_OK)
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('asks for msw 2 and 3, and leaves every peer to the user', () => {
    expect(majorsIn(peerDependencies.msw)).toEqual(['2', '3'])
    expect(peerDependenciesMeta).toEqual(
      Object.fromEntries(Object.keys(peerDependencies).map((name) => [name, { optional: true }])),
    )
  })

  it.each(Object.entries(peerDependencies))(
    'is tested with a version of %s that it admits',
    (name, range) => {
      const version = Object.entries(devDependencies).find(([other]) => other === name)?.[1]
      expect(majorsIn(range)).toContain(version?.split('.')[0])
    },
  )

  it('has no script that an installation would ask about', () => {
    const names = Object.keys(manifest.scripts)
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(names).not.toContain(name)
    }
  })

  it('names files that are there', () => {
    const named = files.filter((file) => !file.startsWith('!'))
    for (const file of named) expect(existsSync(join(projectFolder, file))).toBe(true)
  })
})
