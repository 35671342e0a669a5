import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { wholeSuite } from '../../../src/checks/assumptions/observation.ts'
import { reportFormats } from '../../../src/checks/reports/formats.ts'
import { type ExploreResult, exploreReport, newDependencies } from '../../../src/cli/explore.ts'
import { execLine } from '../../../src/cli/suite/session.ts'
import { namesOf } from '../../../src/mock/input/record.ts'

const pair = [
  { gap: 'errorPrecedence', choice: 'request' },
  { gap: 'banStatus', choice: 403 },
] as const

/** What is found of a suite. */
function resultOf(more: Partial<ExploreResult> = {}): ExploreResult {
  return {
    found: {
      runs: 19,
      dependencies: [
        { test: 'is <told> & "banned"', row: [{ gap: 'banStatus', choice: 403 }] },
        { test: 'retries', row: pair },
      ],
      slower: [],
      irrelevant: ['emptyName'],
      unaffected: ['listOrder', 'idSequence'],
      open: [],
      unsteady: [],
      unexplained: [],
    },
    tests: 41,
    known: [],
    notes: [],
    isInterrupted: false,
    commandFor: (row) => `run ${row.length}`,
    ...more,
  }
}

describe('exploreReport()', () => {
  it('tells apart what is merely slower, and does not fail for it', () => {
    const { found } = resultOf()
    const [one] = found.dependencies
    const slow = resultOf({ found: { ...found, dependencies: [], slower: one ? [one] : [] } })
    const text = reportFormats.pretty(exploreReport(slow))
    expect(text).toContain('slower  is <told> & "banned"')
    expect(text.replace(/\s+/g, ' ')).toContain('With banStatus=403 its client was still waiting')
    expect(exploreReport(slow).json).toMatchObject({
      dependencies: [],
      slower: [{ choices: { banStatus: '403' }, reproduce: 'run 1' }],
    })
    expect(newDependencies(slow)).toEqual([])
  })

  it('is as documented in JSON', () => {
    expect(exploreReport(resultOf()).json).toEqual({
      runs: 19,
      dependencies: [
        {
          test: 'is <told> & "banned"',
          choices: { banStatus: '403' },
          clause: '8',
          reproduce: 'run 1',
        },
        {
          test: 'retries',
          choices: { errorPrecedence: 'request', banStatus: '403' },
          clause: '7, 8',
          reproduce: 'run 2',
        },
      ],
      slower: [],
      irrelevant: ['emptyName'],
      unaffected: ['listOrder', 'idSequence'],
    })
  })

  it('says what is necessary, what may be anything, and what the clause leaves open', () => {
    const text = reportFormats.pretty(exploreReport(resultOf()))
    expect(text).toMatch(/^Explore: 2 of 41 tests depend on .*, in 2 ways; 19 runs\n/)
    expect(text.replace(/\s+/g, ' ')).toContain(
      'It fails with errorPrecedence=request,banStatus=403, and with none of them alone; every other choice passes. errorPrecedence, which spec 7 leaves open: ',
    )
    expect(text).toContain('unaffected  2 gaps without effect on your tests\n')
    expect(text).toContain('irrelevant  1 gaps that no request depends on\n')
  })

  it.each(namesOf(reportFormats))(
    'escapes names of tests, and has the line to reproduce: %s',
    (name) => {
      const text = reportFormats[name](exploreReport(resultOf()))
      expect(text).toContain('run 2')
      if (name === 'junit') expect(text).not.toContain('<told>')
    },
  )

  it('names the whole suite where tests are not known, and says that it was interrupted', () => {
    const { found } = resultOf()
    const dependencies = [{ test: wholeSuite, row: pair }]
    const result = resultOf({ found: { ...found, dependencies }, tests: 0, isInterrupted: true })
    const report = exploreReport(result)
    expect(report.json).toMatchObject({ interrupted: true })
    expect(JSON.stringify(report.json)).not.toContain('"test"')
    expect(reportFormats.pretty(report)).toMatch(
      /^Explore: the suite depends on .*, in 1 way; 19 runs, interrupted\n\ndepends {2}the whole suite\n/,
    )
  })

  it('says what else is known: known dependencies, those that are gone, and flaky tests', () => {
    const { found } = resultOf()
    const known = [
      { test: 'retries', choices: { banStatus: '403', errorPrecedence: 'request' } },
      { test: 'is gone', choices: { banStatus: '403' } },
    ]
    const result = resultOf({
      known,
      notes: ['Something.'],
      found: { ...found, open: ['banStatus'], unsteady: ['flies'], unexplained: ['falls'] },
    })
    expect(newDependencies(result)).toEqual(['banStatus=403'])
    const text = reportFormats.pretty(exploreReport(result))
    expect(text).toContain('known  retries\n')
    for (const line of [
      'Something.',
      '1 of the known dependencies is gone.',
      'flies passed once',
      'Not known yet whether a test depends on banStatus.',
    ]) {
      expect(text).toContain(line)
    }
    expect(text).toContain('falls failed, and no choice explains it.')
  })

  it('says that nothing was found', () => {
    const { found } = resultOf()
    const result = resultOf({ found: { ...found, dependencies: [] } })
    expect(newDependencies(result)).toEqual([])
    expect(reportFormats.pretty(exploreReport(result))).toMatch(
      /^Explore: no test depends on a choice that the interface leaves open; 19 runs\n/,
    )
  })
})

describe('execLine()', () => {
  it('writes a line that a shell takes apart again', () => {
    const words = ['npx', 'vitest', '--outputFile=out/{row}.xml', "it's $HOME", '', 'a;b', '*']
    const options = { clock: '2030-12-04', frozen: 'true', 'seed-file': 'my pets.json' }
    const row = [
      { gap: 'banStatus', choice: 403 },
      { gap: 'banDuration', choice: 600_000 },
    ] as const
    const line = execLine({ given: options, words }, row)
    const script = line.replace(/^npx petstore-sandbox/, "printf '%s\\n'")
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toEqual([
      'exec',
      ...['--clock', '2030-12-04', '--frozen', '--seed-file', 'my pets.json'],
      ...['--gap', 'banStatus=403', '--gap', 'banDuration=10m', '--'],
      ...['npx', 'vitest', '--outputFile=out/0.xml', "it's $HOME", '', 'a;b', '*'],
      '',
    ])
  })

  it('keeps control characters of a word, without any in the line', () => {
    const words = ['node', "it's\n\tnew\\line\r", '\u001b[31m\u007fé']
    const line = execLine({ given: {}, words }, [])
    expect(line).not.toMatch(/\p{Cc}/u)
    expect(line).toContain(String.raw`"$(printf %b 'it\0047s\0012\0011new\0134line\0015')"`)
    const script = line.replace(/^npx petstore-sandbox/, "printf '%s\\0'")
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } } as const
    expect(execFileSync('bash', ['-c', script], options).split('\0')).toEqual([
      ...['exec', '--'],
      ...words,
      '',
    ])
  })
})
