import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { wholeSuite } from '../../../../src/checks/assumptions/observation.ts'
import { reportFormats } from '../../../../src/checks/reports/formats.ts'
import type { Report } from '../../../../src/checks/reports/report.ts'
import {
  type Assumptions,
  assumptionComplaints,
  assumptionGroups,
  assumptionsJson,
} from '../../../../src/cli/check/assumptions.ts'
import { execLine } from '../../../../src/cli/check/baseline.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { assumptionsOf, pair } from '../../../kit/assumptions.ts'

/** A report of hidden assumptions alone. */
function reportOf(result: Assumptions): Report {
  const groups = assumptionGroups(result)
  return { title: 'Check', summary: '', layout: 'card', groups, json: assumptionsJson(result) }
}

function textOf(result: Assumptions): string {
  return reportFormats.pretty(reportOf(result)).replace(/\s+/g, ' ')
}

describe('assumptionGroups()', () => {
  it('tells apart what is merely slower, and does not complain about it', () => {
    const { found } = assumptionsOf()
    const slower = found.dependencies.slice(0, 1)
    const slow = assumptionsOf({ found: { ...found, dependencies: [], slower } })
    expect(textOf(slow)).toContain(
      'slower banStatus=403 is <told> & "banned": with these values its client was still waiting',
    )
    expect(assumptionComplaints(slow)).toEqual([])
  })

  it('names the values, the gaps that may have any, and remarks', () => {
    const { found } = assumptionsOf()
    const known = [
      { test: 'retries', values: { banStatus: '403', errorPrecedence: 'request' } },
      { test: 'is gone', values: { banStatus: '403' } },
    ]
    const result = assumptionsOf({
      known,
      notes: ['Something.'],
      found: { ...found, open: ['banStatus'], unsteady: ['flies'], unexplained: ['falls'] },
    })
    expect(assumptionComplaints(result).map(({ what }) => what)).toEqual(['banStatus=403'])
    const text = textOf(result)
    for (const words of [
      'hidden assumptions: 2, in 2 of 41 tests',
      'fix banStatus=403 is <told> & "banned" fails',
      'known errorPrecedence=request,banStatus=403 retries fails',
      'unaffected 2 gaps no test relies on their values',
      'irrelevant 1 gap no response to the tests depends on them',
      'Something.',
      '1 of the known assumptions is gone.',
      'flies passed once and failed once',
      'Not known yet whether a test relies on banStatus.',
      'falls failed, and no value explains it.',
    ]) {
      expect(text).toContain(words)
    }
  })

  // The others show only what explains them, at the beginning of the whole report.
  const formats = namesOf(reportFormats).filter((name) => name !== 'github' && name !== 'junit')
  it.each(formats)('names the tests: %s', (name) => {
    expect(reportFormats[name](reportOf(assumptionsOf()))).toContain('retries')
  })

  it('names the whole suite where tests are not known, and says that it was interrupted', () => {
    const { found } = assumptionsOf()
    const dependencies = [{ test: wholeSuite, row: pair }]
    const result = assumptionsOf({
      ...{ found: { ...found, dependencies }, tests: 0, isInterrupted: true },
    })
    expect(textOf(result)).toContain(
      'hidden assumptions: 1, in the suite fix errorPrecedence=request,banStatus=403 the whole suite fails',
    )
    expect(textOf(result)).toContain('It was interrupted')
    expect(JSON.stringify(assumptionsJson(result))).not.toContain('"test"')
    expect(assumptionComplaints(result)).toMatchObject([
      {
        text: 'The suite fails with errorPrecedence=request,banStatus=403, and with none of them alone, which the spec allows as well.',
        command: 'run 2',
        source: 'spec 7, 8',
      },
    ])
  })
})

describe('assumptionsJson()', () => {
  it('is as documented', () => {
    expect(assumptionsJson(assumptionsOf())).toEqual({
      assumptions: [
        {
          test: 'is <told> & "banned"',
          values: { banStatus: '403' },
          source: 'spec 8',
          reproduce: 'run 1',
        },
        {
          test: 'retries',
          values: { errorPrecedence: 'request', banStatus: '403' },
          source: 'spec 7, 8',
          reproduce: 'run 2',
        },
      ],
      slower: [],
      gaps: { irrelevant: ['emptyName'], unaffected: ['listOrder', 'idSequence'], open: [] },
    })
  })
})

describe('execLine()', () => {
  it('writes a line that a shell takes apart again', () => {
    const words = ['npx', 'vitest', '--outputFile=out/{row}.xml', "it's $HOME", '', 'a;b', '*']
    const options = { clock: '2030-12-04', frozen: 'true', 'seed-file': 'my pets.json' }
    const row = [
      { gap: 'banStatus', value: 403 },
      { gap: 'banDuration', value: 600_000 },
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
})
