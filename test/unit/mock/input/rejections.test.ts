import { describe, expect, it } from 'vitest'
import { gapSettings } from '../../../../src/mock/api/gaps.ts'
import { petSchema } from '../../../../src/mock/api/pet.ts'
import { limitSettings, remainingSettings } from '../../../../src/mock/api/plans.ts'
import { faultRule } from '../../../../src/mock/faults/fault-rules.ts'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { object } from '../../../../src/mock/input/object.ts'
import { readInput, type Schema } from '../../../../src/mock/input/schema.ts'
import {
  factProperties,
  requestFilter,
  requestView,
  savedLog,
} from '../../../../src/mock/log/request-view.ts'
import { sharedLimits } from '../../../../src/mock/log/shared-memory.ts'
import { seedSettings } from '../../../../src/mock/state/beginning.ts'
import { clockStart } from '../../../../src/mock/state/clock.ts'
import { savedFaults } from '../../../../src/mock/state/faults.ts'
import { keySettings, newKey } from '../../../../src/mock/state/keys.ts'
import { sandboxLimits } from '../../../../src/mock/state/limits.ts'
import { snapshotDocument } from '../../../../src/mock/state/state.ts'
import { startedTest } from '../../../../src/sandbox/controls/tests.ts'

const rex = { name: 'Rex', categoryId: 1 }
const free = { key: 'k', plan: 'free' }
const saved = { lastId: 1, random: 1 }

/** What each schema rejects that somebody may well give it; all else is in `every-schema.test.ts`. */
const rejected: Readonly<Record<string, readonly [Pick<Schema<unknown>, 'parse'>, unknown[]]>> = {
  pet: [
    petSchema,
    [
      ...[null, rex, { id: 'a', ...rex }, { id: 2 ** 53, ...rex }],
      ...[{ categoryId: 'a' }, { status: null }, { tag: 'x' }].map((wrong) => ({
        ...{ id: 1, ...rex },
        ...wrong,
      })),
    ],
  ],
  key: [
    keySettings,
    [
      ...['free-key', { key: 'k' }, { plan: 'free' }],
      ...[
        ...['', 'a b', 'a=b', 'k\n', 'k'.repeat(201)].map((key) => ({ key })),
        ...[
          { plan: 'Free' },
          { plan: 'enterprise' },
          { plan: 'enterprise', limits: { minute: 5 } },
        ],
        ...[
          { limit: {} },
          { limits: { minute: 0 } },
          { expiresAt: 'soon' },
          { revoked: 'yes' },
          { revoked: 1 },
        ],
        { ban: 'long' },
        ...[{ minute: 61 }, { day: 1_001 }, { minute: -1 }, { second: 1 }, 5].map((remaining) => ({
          remaining,
        })),
      ].map((wrong) => ({ ...free, ...wrong })),
    ],
  ],
  'new key': [newKey, [5, { plan: 'enterprise' }]],
  limits: [limitSettings, [60, { hour: 1 }, { minute: 0 }, { day: '5' }, { minute: 1e9 + 1 }]],
  remaining: [remainingSettings, [{ day: -1 }]],
  gaps: [
    gapSettings,
    [
      ...[null, [], 'emptyName=reject', { listorder: 'x' }],
      ...[{ listOrder: 'x' }, { listOrder: ['shuffled'] }, { banStatus: 404 }, { banAfter: 1.5 }],
      ...[{ deprecatedSince: '2026-01-01T00:00:00' }, { banDuration: '0s' }, { banAfter: -1 }],
      ...[{ banDuration: 'never' }, { dateHeaderSkew: Object.create(null) }],
    ],
  ],
  fault: [
    faultRule,
    [
      ...['3s-1s', '1s-', '-1s', '1-3s', '1s-2s-3s', '1s-2d', 86_400_001, -1, [1], ['x', 1]].map(
        (ms) => ({ fault: 'latency', ms }),
      ),
      ...[-1, '2d', '1h1'].map((retryAfter) => ({ fault: 'status', retryAfter })),
      ...[0, 1e9 + 1, 1.5].map((times) => ({ fault: 'timeout', times })),
      ...[1.000_001, -0.000_001, '1'].map((probability) => ({ fault: 'timeout', probability })),
    ],
  ],
  clock: [
    clockStart,
    [
      ...[null, [], true, 'noon', { mode: 'stopped' }, { mode: 'system', now: 0 }, { at: 0 }],
      ...[{ mode: 'frozen', speed: 2 }, { speed: 0 }],
    ],
  ],
  test: [startedTest, [5, { kind: 'reset' }, { name: '' }, { name: 'x'.repeat(1_001) }]],
  filter: [requestFilter, [5, { status: 99 }]],
  seed: [seedSettings, [5]],
  'limits of a sandbox': [sandboxLimits, [5]],
  'limits of a process': [sharedLimits, [5]],
  snapshot: [snapshotDocument, [5]],
  'faults of a snapshot': [
    savedFaults,
    [
      ...[null, { ...saved, lastId: '1', list: [] }, { ...saved, random: -1, list: [] }, saved],
      ...[
        5,
        { fault: 'timeout', matched: 0, applied: 0 },
        { id: 1, fault: 'fire', matched: 0, applied: 0 },
      ].map((one) => ({ ...saved, list: [one] })),
    ],
  ],
  'request log of a snapshot': [savedLog, [null, { list: [] }, { lastId: -1 }, { lastId: 1 }]],
  facts: [object({ received: factProperties.receivedMs }), [{ received: -1 }]],
  entry: [object({ durationMs: requestView.properties.durationMs }), [{ durationMs: -1 }]],
}

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof InputError) return thrown.message
    throw thrown
  }
  throw new TypeError('Cannot go on: nothing was rejected')
}

describe('readInput()', () => {
  it('says of what it rejects where it is, what it found, and what it takes', async () => {
    const told = Object.entries(rejected).flatMap(([what, [schema, values]]) =>
      values.map((value) => `${what}: ${messageOf(() => readInput(schema, value))}`),
    )
    await expect(told.join('\n')).toMatchFileSnapshot('rejections.txt')
  })
})
