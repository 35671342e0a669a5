import { describe, expect, it } from 'vitest'
import { type Gap, type GapName, gapNames, gaps, parseGaps } from '../../src/mock/api/gaps.ts'
import { describedOperations } from '../kit/api-description.ts'
import { conformanceCases, createSandboxFor, play } from '../kit/conformance-cases.ts'
import { expectComplete } from '../kit/expect-complete.ts'

describe('sandbox.handle()', () => {
  it.each(conformanceCases)('$clause $name', async (one) => {
    expect(await play(one, createSandboxFor(one))).toEqual({ kind: 'response', ...one.response })
  })
})

/** The clauses of the spec; a number after the dot of 5 and 8 is that of a sentence in their lists. */
const clauses = [
  ...['1', '2', '3', '4', '4.1', '4.2', '4.3', '4.4', '5', '5.1', '5.2', '5.3', '5.4', '6', '7'],
  ...['8', '8.1', '8.2', '8.3', '8.4', '8.5', '9'],
]

/** What no pair of request and reply can show, and why. */
const clausesElsewhere: Readonly<Record<string, string>> = {
  '5.4':
    'how keys are issued is not shown; test/unit/sandbox/controls covers how this sandbox issues them',
  '6': 'there are no events',
}

/** Gaps that no pair of request and reply can show, and why. */
const gapsElsewhere: Readonly<Partial<Record<GapName, string>>> = {}

describe('fixtures/conformance', () => {
  it('covers each clause, or says what does', () => {
    expectComplete({
      found: [...Object.keys(clausesElsewhere), ...conformanceCases.map(({ clause }) => clause)],
      needed: clauses,
      what: 'a case of a clause',
      where:
        'fixtures/conformance/, or to the clauses that test/unit/conformance.test.ts has elsewhere',
    })
    expect(conformanceCases.filter(({ clause }) => clause in clausesElsewhere)).toEqual([])
  })

  it.each(gapNames)('covers each choice of gap %s, or says what does', (name) => {
    const chosen = conformanceCases.flatMap((one) =>
      one.gaps?.[name] === undefined ? [] : [parseGaps(one.gaps)[name]],
    )
    if (name in gapsElsewhere) expect(chosen).toEqual([])
    else {
      expectComplete({
        found: [],
        needed: missingChoices(gaps[name], chosen),
        what: `a case with a choice of ${name}`,
        where: 'fixtures/conformance/',
      })
    }
  })

  it('covers each status of each operation that is described', () => {
    // No request alone brings a sandbox to its limits: test/mock/state/memory/ and test/server/ do.
    const replies = describedReplies().filter(({ status }) => status !== 503)
    const covered = replies.filter(({ status, pattern, method }) =>
      conformanceCases.some(
        ({ request, response: reply }) =>
          reply.status === status && request.method === method && pattern.test(request.url),
      ),
    )
    const nameOf = ({ status, operation }: (typeof replies)[number]) => `${status} of ${operation}`
    expectComplete({
      found: covered.map(nameOf),
      needed: replies.map(nameOf),
      what: 'a case with a reply',
      where: 'fixtures/conformance/',
    })
  })

  it('covers the limits of each plan that the spec has figures for', () => {
    const shown = conformanceCases.map(
      ({ request, response: reply }) =>
        `${request.headers.authorization} ${reply.headers['x-ratelimit-limit']}`,
    )
    const needed = Object.entries({
      free: [60, 1_000],
      pro: [300, 10_000],
      business: [1_000, 100_000],
    }).flatMap(([plan, limits]) => limits.map((limit) => `Bearer ${plan}-key ${limit}`))
    expectComplete({
      found: shown.filter((one) => needed.includes(one)),
      needed,
      what: 'a reply to a key with the limit',
      where: 'fixtures/conformance/8-rate-limits.json',
    })
  })
})

/** The choices of a gap that were never made; of an instant, a duration or a count, any one beside the default will do. */
function missingChoices(gap: Gap, chosen: readonly (string | number)[]): (string | number)[] {
  if (gap.kind === 'enum') return gap.values.filter((choice) => !chosen.includes(choice))
  const needed = gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
  const missing = needed.filter((choice) => !chosen.includes(choice))
  return chosen.some((choice) => !needed.includes(choice)) ? missing : [...missing, 'any other']
}

function describedReplies() {
  return describedOperations.flatMap(({ operationId, path, method, responses }) =>
    Object.keys(responses).map((status) => ({
      operation: operationId,
      method,
      pattern: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
      status: Number(status),
    })),
  )
}
