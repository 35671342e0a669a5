import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/mock/api/endpoints.ts'
import {
  defaultGaps,
  type Gap,
  type GapName,
  gapNames,
  gaps,
  parseGaps,
} from '../../src/mock/api/gaps.ts'
import { corsHeaderSpellings, responseHeaders } from '../../src/mock/api/http.ts'
import { describedOperations } from '../kit/api-description.ts'
import {
  conformanceCases,
  conformanceFiles,
  createSandboxFor,
  play,
} from '../kit/conformance-cases.ts'
import { expectComplete } from '../kit/expect-complete.ts'

describe('sandbox.handle()', () => {
  it.each(conformanceCases)('$clause $name', async (one) => {
    expect(await play(one, createSandboxFor(one))).toEqual({ kind: 'response', ...one.response })
  })

  const atDefaults = conformanceCases.filter(
    (one) => one.gaps !== undefined && isDeepEqual(parseGaps(one.gaps), defaultGaps),
  )

  it.each(atDefaults)('$clause $name, by default', async ({ gaps: _, ...one }) => {
    expect(await play(one, createSandboxFor(one))).toEqual({ kind: 'response', ...one.response })
  })
})

function isDeepEqual(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

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
  it('is read from every file that it has', () => {
    const folder = new URL('../../fixtures/conformance/', import.meta.url)
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expectComplete({
      found: conformanceFiles,
      needed: names,
      what: 'an import of a file of cases',
      where: 'test/kit/conformance-cases.ts',
    })
  })

  it.each(conformanceFiles)('gives each case of %s a name and a clause of its own file', (file) => {
    const cases = conformanceCases.filter((one) => one.file === file)
    expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length)
    const [number = ''] = file.split('-')
    for (const { clause } of cases) {
      expect(clauses).toContain(clause)
      expect(`${clause}.`.startsWith(`${number}.`)).toBe(true)
    }
  })

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

  it('knows every clause that an operation or a gap names', () => {
    const named = [
      ...Object.values(endpoints).map(({ spec }) => spec),
      ...gapNames.map((name) => gaps[name].spec),
    ]
    expectComplete({
      found: clauses,
      needed: [...clauses, ...named],
      what: 'a clause that src/ names',
      where: 'the clauses of test/unit/conformance.test.ts',
    })
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

  it('covers each header that a response can have', () => {
    expectComplete({
      found: conformanceCases.flatMap(({ response }) => Object.keys(response.headers)),
      needed: [...Object.keys(responseHeaders), ...Object.keys(corsHeaderSpellings)],
      what: 'a reply with the header',
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
