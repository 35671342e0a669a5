import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gapNames, gaps } from '../../src/mock/api/gaps.ts'
import { conformanceCases } from '../kit/conformance-cases.ts'
import { anchorsIn, clausesIn, interfaceFile } from '../kit/interface-document.ts'

const document = readFileSync(interfaceFile, 'utf8')
const clauses = clausesIn(document)
const numbers = clauses.map(({ number }) => number)
const numbersAndPoints = [...numbers, ...clauses.flatMap(({ points }) => points)]

/** A clause, and who cites it. */
interface Citation {
  readonly clause: string
  readonly by: string
}

/** Finds clauses cited as `(spec 8)`, `(spec 2, 4.1)`, `spec: '4.3'` or `; spec 8`. */
function clausesCitedIn(text: string): string[] {
  const lists = text.matchAll(/\bspec:? '?(\d(?:\.\d+)?(?:(?:, | and | to )\d(?:\.\d+)?)*)(?!\d)/g)
  return [...lists].flatMap(([, list = '']) => list.split(/, | and | to /))
}

function citationsOfSource(): Citation[] {
  const folder = new URL('../../src/', import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(new URL(path, folder), 'utf8')
      return clausesCitedIn(text).map((clause) => ({ clause, by: `src/${path}` }))
    })
}

/** Says which citations lead nowhere: there the clause is to be added, or the right one to be cited. */
function deadCitations(citations: readonly Citation[]): string[] {
  return citations
    .filter(({ clause }) => !numbersAndPoints.includes(clause))
    .map(({ clause, by }) => `${by} cites clause ${clause}, which docs/reference/api.md lacks`)
}

describe('docs/reference/api.md', () => {
  it('has the clauses 1 to 9 in order', () => {
    expect(numbers.filter((number) => !number.includes('.')).join('')).toBe('123456789')
    expect(numbers).toEqual(numbers.toSorted())
  })

  it('has every clause that src/ cites', () => {
    const citations = citationsOfSource()
    expect(citations.length).toBeGreaterThan(50)
    expect(deadCitations(citations)).toEqual([])
  })

  it('has every clause that fixtures/conformance cites', () => {
    const citations = conformanceCases.map(({ clause, file, name }) => {
      return { clause, by: `"${name}" in ${file}` }
    })
    expect(deadCitations(citations)).toEqual([])
  })

  it.each(gapNames)('has gap %s in its clause', (name) => {
    const clause = clauses.find(({ number }) => number === gaps[name].spec)
    expect(clause?.text).toContain(`- \`${name}\` (`)
  })

  it('has a heading for every link within it', () => {
    const targets = [...document.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target)
    const anchors: readonly (string | undefined)[] = anchorsIn(document)
    expect(targets.filter((target) => !anchors.includes(target))).toEqual([])
    expect(new Set(anchors).size, 'two headings have one anchor').toBe(anchors.length)
  })
})
