import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Auditor } from '../../src/audit/auditor.ts'
import { Company } from '../../src/audit/panel/company.ts'
import { KeyUse } from '../../src/audit/panel/key-use.ts'
import { Origin } from '../../src/audit/panel/origin.ts'
import { Panel } from '../../src/audit/panel/panel.ts'
import { everyRule } from '../../src/audit/panel/seers.ts'
import type { Found, Ground, Rule } from '../../src/audit/rule.ts'
import { type RuleName, ruleNames, rules } from '../../src/audit/rules.ts'
import { Seen } from '../../src/audit/seen.ts'
import type { Severity } from '../../src/audit/severity.ts'
import { invalidRequest } from '../../src/contract/error.ts'
import { gaps } from '../../src/contract/gaps.ts'
import type { FaultSettings } from '../../src/index.ts'
import type { Happening } from '../../src/state/journal.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../kit/send.ts'

/** Something that happens to a sandbox. */
type Step =
  | { readonly requests: readonly TestRequest[] }
  | { readonly fault: FaultSettings }
  | { readonly wait: string }
  | { readonly turns: number }
  | { readonly reset: true }

const ground: Ground = {
  gapTable: gaps,
  isCategory: () => true,
  limitsOf: (key) => (key.endsWith('-key') ? { minute: 5, day: 20 } : undefined),
  mayBeIn: () => true,
  refusalUnder: ({ url }, { unknownQuery }) =>
    url.includes('?free-key') && unknownQuery === 'reject'
      ? invalidRequest('Cannot use it: it is unknown', 'unknownQuery')
      : undefined,
}

const rex = '{"name":"Rex","categoryId":1}'

const anyKnownRequest: fc.Arbitrary<TestRequest> = fc.constantFrom<TestRequest>(
  {},
  { url: '/v1/pets?status=sold' },
  { url: '/v1/pets?free-key' },
  { url: '/v1/pets/1' },
  { url: '/v1/pets/2' },
  { url: '/v1/pets/3' },
  { url: '/v1/pets/999' },
  { url: '/v1/nowhere' },
  { url: '/v1/pets/9007199254740993' },
  { url: '/v1/pets/9007199254740992' },
  { headers: { 'x-request': 'free-key' } },
  { headers: { 'x-request': 'a word' } },
  { json: rex },
  { json: rex },
  { json: '{}' },
  { key: 'unknown-key' },
  { key: 'banned-key' },
  { key: 'minute-exhausted-key' },
  { key: null },
)

const anyFault: fc.Arbitrary<FaultSettings> = fc.constantFrom<FaultSettings>(
  { fault: 'disconnect', times: 1 },
  { fault: 'malformed-json', times: 2 },
  { fault: 'status', status: 503, times: 6 },
  { fault: 'status', status: 404, times: 3 },
  { fault: 'rate-limit', times: 2 },
)

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ requests: fc.tuple(anyKnownRequest) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      requests: fc
        .tuple(anyKnownRequest, fc.integer({ min: 2, max: 12 }))
        .map(([request, times]) => Array.from({ length: times }, () => request)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ fault: anyFault }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom('1s', '61s', '6m') }) },
  { weight: 4, arbitrary: fc.record({ turns: fc.constant(3) }) },
  { weight: 1, arbitrary: fc.record({ reset: fc.constant(true as const) }) },
)

/** Writes down what there is to judge. */
class Recorder extends Auditor {
  readonly all: Happening[] = []

  override hear(happening: Happening): void {
    this.all.push(happening)
  }
}

/** Has steps done to a sandbox, one request after the other or all of a step at once. */
async function happenedIn(
  steps: readonly Step[],
  together: boolean,
): Promise<readonly Happening[]> {
  const sandbox = frozenSandbox({
    seed: { keys: [{ key: 'free-key', plan: 'enterprise', limits: { minute: 20, day: 1_000 } }] },
  })
  const recorder = new Recorder(ground, String)
  sandbox.auditWith(() => recorder)
  for (const step of steps) {
    if ('fault' in step) sandbox.faults.add(step.fault)
    else if ('wait' in step) sandbox.clock.advance(step.wait)
    else if ('reset' in step) sandbox.reset()
    else if ('turns' in step) await turns(step.turns)
    else if (together) await Promise.all(step.requests.map((one) => sandbox.handle(requestOf(one))))
    else for (const one of step.requests) await sandbox.handle(requestOf(one))
  }
  return recorder.all
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

interface Told {
  readonly rule: RuleName
  readonly verdict: string
  readonly severity: Severity | undefined
  readonly ids: readonly number[]
}

function toldOf(rule: RuleName, { verdict, severity, exchanges }: Found): Told {
  return { rule, verdict, severity, ids: exchanges.map(({ id }) => id) }
}

/** What a rule finds that sees everything, whatever it asks for. */
function foundBySeeingAll(rule: RuleName, all: readonly Happening[]): readonly Told[] {
  const watch = rules[rule].watch()
  const origins = new Map<number, Origin>()
  const company = new Company()
  const told: Told[] = []
  for (const one of all) {
    if ('mark' in one) {
      if (one.mark.kind === 'clock-moved') continue
      watch.forget?.()
      for (const origin of origins.values()) origin.forget()
      continue
    }
    const { caller, visit } = one.exchange
    const origin = origins.get(caller) ?? new Origin(new KeyUse(), caller, visit.door, company)
    origins.set(caller, origin)
    const seen = new Seen(one.id, origin, one.exchange)
    origin.heard.hear(seen, one.exchange)
    const found = watch.see(seen, one.exchange, ground)
    if (found !== undefined) told.push(toldOf(rule, found))
    origin.keep(seen, one.exchange)
  }
  return told
}

function foundByPanel(all: readonly Happening[]): readonly Told[] {
  const panel = new Panel(everyRule)
  const keys = new Map<number, KeyUse>()
  const told: Told[] = []
  for (const one of all) {
    if ('mark' in one) {
      if (one.mark.kind !== 'clock-moved') panel.forget()
      continue
    }
    const { caller } = one.exchange
    const use = keys.get(caller) ?? new KeyUse()
    keys.set(caller, use)
    panel.see(one.id, one.exchange, caller, use, ground, ({ rule, found }) => {
      told.push(toldOf(rule, found))
    })
  }
  return told
}

describe('Panel', () => {
  it('finds what rules find that see every exchange', { timeout: 60_000 }, async () => {
    const met = new Set<RuleName>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 5, maxLength: 60 }),
        fc.boolean(),
        async (steps, together) => {
          const all = await happenedIn(steps, together)
          const byPanel = foundByPanel(all)
          for (const { rule, verdict } of byPanel) {
            const { quotesNothing }: Rule = rules[rule]
            if (quotesNothing) expect(verdict).not.toMatch(/-key/)
          }
          for (const rule of ruleNames) {
            const expected = foundBySeeingAll(rule, all)
            expect(byPanel.filter((one) => one.rule === rule)).toEqual(expected)
            if (expected.length > 0) met.add(rule)
          }
        },
      ),
      { numRuns: 150 },
    )
    // Else the above says nothing.
    expect(met.size).toBeGreaterThan(ruleNames.length / 3)
  })
})
