import manifest from '../../package.json' with { type: 'json' }
import { consumers } from './consumers.ts'
import type { Resolution } from './type-check.ts'

/** Gives the lowest version that a range such as `^2.10.0 || ^3.0.0` admits. */
export function lowest(range: string): string {
  return /\d[\d.]*/.exec(range)?.[0] ?? range
}

/** The compilers that read our declarations, the oldest that README names first. */
export const compilers = ['5.5', '5.6', '5.9', '6', '7'] as const

/** The versions of Node that run the package, the lowest first. */
export const nodes: readonly string[] = [`${lowest(manifest.engines.node)}.0`, '22', '24', '26']

/** Gives the latest major version that a range admits. */
function highestMajor(range: string): string {
  return /(\d+)[\d.]*$/.exec(range)?.[1] ?? range
}

const peers = Object.entries(manifest.peerDependencies)
const express = (major: number): string[] => [`express@${major}`, `@types/express@${major}`]

const lowestPeers = peers.map(([name, range]) => `${name}@${lowest(range)}`)
const otherPeers = peers
  .filter(([name]) => name !== 'msw')
  .map(([name, range]) => `${name}@${highestMajor(range)}`)
const newest = [...otherPeers, '@types/node@22', ...express(5)]

/** What is installed beside the package, by project. */
export const beside = {
  'nothing else': [],
  'types of Node': ['@types/node@20'],
  'lowest peers': [...lowestPeers, '@types/node@20', ...express(4)],
  'msw 2': ['msw@2', ...newest],
  'msw 3': ['msw@3', ...newest],
  'vitest 4 and msw 3': ['msw@3', 'vitest@4'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ProjectName = keyof typeof beside

/** What TypeScript is told of the host. */
export const hosts = {
  'Node and pages': { lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
  pages: { lib: ['es2022', 'dom'], types: [] },
  Node: { lib: ['es2022'], types: ['node'] },
} as const

/** A project whose files are type-checked. */
export interface TypeRow {
  readonly project: ProjectName
  readonly host: keyof typeof hosts
  readonly resolutions: readonly Resolution[]
  readonly consumers: readonly string[]
}

const both = ['nodenext', 'bundler'] as const
const plain = ['index', 'fetch', 'seed', 'client', 'matchers', 'documents']
const ofPages = [...plain, 'msw', 'msw-worker', 'panel']

/** Consumers that need nothing but the package, beside types of Node. */
export const alone: readonly string[] = [...plain, 'middleware', 'server']

/** What is type-checked where, by each compiler. */
export const typeRows: readonly TypeRow[] = [
  { project: 'nothing else', host: 'pages', resolutions: both, consumers: plain },
  // No types of Express are there, and the package does not ask for them.
  { project: 'types of Node', host: 'Node', resolutions: ['nodenext'], consumers: alone },
  { project: 'lowest peers', host: 'Node and pages', resolutions: ['nodenext'], consumers },
  { project: 'msw 2', host: 'Node and pages', resolutions: both, consumers },
  { project: 'msw 2', host: 'pages', resolutions: ['bundler'], consumers: ofPages },
  { project: 'msw 3', host: 'Node and pages', resolutions: both, consumers },
  { project: 'msw 3', host: 'pages', resolutions: ['bundler'], consumers: ofPages },
  {
    project: 'msw 3',
    host: 'Node and pages',
    resolutions: ['node16'],
    // It knows no import attributes, which JSON needs.
    consumers: consumers.filter((consumer) => consumer !== 'documents'),
  },
]

/** What is run where; `undefined` is the Node that runs this. */
export const runRows: readonly {
  readonly project: ProjectName
  readonly node: string | undefined
  readonly consumers: readonly string[]
}[] = [
  ...nodes.map((node) => ({ project: 'nothing else' as const, node, consumers: alone })),
  { project: 'lowest peers', node: nodes[0], consumers },
  { project: 'msw 2', node: undefined, consumers },
  { project: 'msw 3', node: undefined, consumers },
  { project: 'vitest 4 and msw 3', node: undefined, consumers: ['vitest'] },
]
