import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { wholeSuite } from '../../../../src/checks/assumptions/assumption-search.ts'
import {
  type Assumptions,
  assumptionComplaints,
  assumptionGroup,
  assumptionsJson,
} from '../../../../src/cli/check/assumptions.ts'
import { execLine } from '../../../../src/cli/check/baseline.ts'
import { assumptionsOf, pair } from '../../../kit/assumptions.ts'

/** Assumptions with these results of the search. */
function withFound(found: Partial<Assumptions['found']>, more: Partial<Assumptions> = {}) {
  return assumptionsOf({ ...more, found: { ...assumptionsOf().found, ...found } })
}

describe('assumptionComplaints()', () => {
  it('is one for all values of a gap and all tests (T11, S10)', () => {
    const values = ['none', 'pending', 'sold'] as const
    const result = withFound({
      dependencies: ['a', 'b'].flatMap((test) =>
        values.map((value) => ({ test, row: [{ gap: 'defaultStatus' as const, value }] })),
      ),
    })
    expect(assumptionComplaints(result)).toEqual([
      {
        grade: 'fix',
        what: 'defaultStatus',
        text: expect.stringMatching(
          /^"a" and 1 more test fail with defaultStatus=none, pending or sold\. Spec 2 leaves open: /,
        ),
        advice: 'Pass with defaultStatus=none, pending or sold, too.',
        command: 'run 1',
        source: 'spec 2',
      },
    ])
  })

  it('names values that matter together', () => {
    const result = withFound({ dependencies: [{ test: wholeSuite, row: pair }] })
    expect(assumptionComplaints(result)).toMatchObject([
      {
        what: 'errorPrecedence and banStatus',
        text: expect.stringMatching(
          /^The suite fails with errorPrecedence=request together with banStatus=403\. /,
        ),
        command: 'run 2',
        source: 'spec 7, 8',
      },
    ])
  })

  it('only informs about values with which a client has to wait for longer', () => {
    const row = [{ gap: 'retryAfterPadding', value: '5s' }] as const
    const result = withFound({ dependencies: [{ test: 'retries', row }] })
    expect(assumptionComplaints(result)).toMatchObject([
      { grade: 'info', advice: expect.stringContaining('move the clock') },
    ])
  })
})

describe('assumptionGroup()', () => {
  it.each([
    { result: assumptionsOf(), summary: 'in 2 of 41 tests' },
    { result: assumptionsOf({ tests: 0 }), summary: 'in the suite' },
    {
      result: withFound({ dependencies: [] }),
      summary: 'none; with other values of 2 gaps, 41 tests pass (19 runs)',
    },
    {
      result: withFound({ dependencies: [] }, { isInterrupted: true }),
      summary: 'none found so far',
    },
    { result: assumptionsOf({ problem: 'It is flaky' }), summary: 'not known: It is flaky' },
  ])('says "$summary"', ({ result, summary }) => {
    expect(assumptionGroup(result)).toMatchObject({ name: 'hidden assumptions', summary })
  })

  it('has remarks', () => {
    const result = withFound(
      { unsteady: ['flies', wholeSuite], isComplete: false },
      { notes: ['Something.'] },
    )
    expect(assumptionGroup(result).items.map(({ text }) => text)).toEqual([
      'Something.',
      'It took too many runs, and was ended: there may be more hidden assumptions.',
      '"flies" passed once and failed once with the same values: fix this flaky test first.',
      'The suite passed once and failed once with the same values: fix this flaky test first.',
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
      gaps: { unaffected: ['listOrder', 'idSequence'] },
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
