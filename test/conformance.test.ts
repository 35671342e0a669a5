import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  defaultGaps,
  type Gap,
  type GapName,
  gapNames,
  gaps,
  parseGaps,
} from '../src/contract/gaps.ts'
import { openApiDocument } from '../src/contract/openapi.ts'
import {
  conformanceCases,
  conformanceFiles,
  createSandboxFor,
  play,
} from './kit/conformance-cases.ts'

describe('sandbox.handle()', () => {
  it.each(conformanceCases)('$clause $name', async (one) => {
    expect(await play(one, createSandboxFor(one))).toEqual({ kind: 'reply', ...one.reply })
  })

  const atDefaults = conformanceCases.filter(
    (one) => one.gaps !== undefined && isDeepEqual(parseGaps(one.gaps), defaultGaps),
  )

  it.each(atDefaults)('$clause $name, by default', async ({ gaps: _, ...one }) => {
    expect(await play(one, createSandboxFor(one))).toEqual({ kind: 'reply', ...one.reply })
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
  '5.4': 'how keys are issued is not shown; test/control covers how this sandbox issues them',
  '6': 'there are no events',
}

/** Gaps that no pair of request and reply can show, and why. */
const gapsElsewhere: Readonly<Partial<Record<GapName, string>>> = {}

describe('fixtures/conformance', () => {
  it('is read from every file that it has', () => {
    const folder = new URL('../fixtures/conformance/', import.meta.url)
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect([...conformanceFiles].sort()).toEqual(names.sort())
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

  it.each(clauses)('covers clause %s, or says what does', (clause) => {
    const isCovered = conformanceCases.some((one) => one.clause === clause)
    expect(isCovered).toBe(!(clause in clausesElsewhere))
  })

  it.each(gapNames)('covers each choice of gap %s, or says what does', (name) => {
    const chosen = conformanceCases.flatMap((one) =>
      one.gaps?.[name] === undefined ? [] : [parseGaps(one.gaps)[name]],
    )
    if (name in gapsElsewhere) expect(chosen).toEqual([])
    else expect(missingChoices(gaps[name], chosen)).toEqual([])
  })

  it.each(describedReplies())(
    'covers status $status of $operation',
    ({ status, pattern, method }) => {
      const isCovered = conformanceCases.some(
        ({ request, reply }) =>
          reply.status === status && request.method === method && pattern.test(request.url),
      )
      expect(isCovered).toBe(true)
    },
  )
})

/** The choices of a gap that were never made; of an instant, a duration or a count, any one beside the default will do. */
function missingChoices(gap: Gap, chosen: readonly (string | number)[]): (string | number)[] {
  if (gap.kind === 'choice') return gap.choices.filter((choice) => !chosen.includes(choice))
  const needed = gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
  const missing = needed.filter((choice) => !chosen.includes(choice))
  return chosen.some((choice) => !needed.includes(choice)) ? missing : [...missing, 'any other']
}

function describedReplies() {
  return Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
      Object.keys(responses).map((status) => ({
        operation: operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
        status: Number(status),
      })),
    ),
  )
}
