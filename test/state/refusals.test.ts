import { describe, expect, it } from 'vitest'
import { object } from '../../src/input/object.ts'
import { readInput, type Schema } from '../../src/input/schema.ts'
import { seedSettings } from '../../src/state/beginning.ts'
import {
  factProperties,
  journalEntry,
  journalFilter,
  newMark,
} from '../../src/state/journal-entry.ts'
import { newKey } from '../../src/state/keys.ts'
import { sandboxLimits, sharedLimits } from '../../src/state/limits.ts'
import { snapshotDocument } from '../../src/state/state.ts'

const facts = object({ received: factProperties.received })
const entry = object({ durationMs: journalEntry.properties.durationMs })

describe('a refusal', () => {
  it.each<{ schema: Pick<Schema<unknown>, 'read' | 'title'>; value: unknown; message: string }>([
    {
      schema: newMark,
      value: 5,
      message:
        'mark: found 5; use an object such as { "kind": "test-began", "name": "lists pets" }',
    },
    {
      schema: newMark,
      value: { kind: 'test-began', name: '' },
      message: 'mark.name: found ""; use 1 to 1,000 characters',
    },
    {
      schema: newMark,
      value: { kind: 'test-began', name: 'x'.repeat(1_001) },
      message: '...; use 1 to 1,000 characters',
    },
    {
      schema: newMark,
      value: { kind: 'reset' },
      message: 'mark.kind: found "reset"; use one of test-began, test-ended',
    },
    {
      schema: journalFilter,
      value: 5,
      message: 'filter: found 5; use an object such as { "status": 429 }',
    },
    {
      schema: journalFilter,
      value: { status: 99 },
      message:
        'filter.status: found 99; use a whole number from 100 to 599, or one of disconnect, timeout',
    },
    {
      schema: seedSettings,
      value: 5,
      message: 'seed: found 5; use an object such as { "pets": [], "keys": [] }',
    },
    {
      schema: sandboxLimits,
      value: 5,
      message: 'limits: found 5; use an object with pets, keys',
    },
    {
      schema: sharedLimits,
      value: 5,
      message: 'limits: found 5; use an object with journalBytes',
    },
    {
      schema: newKey,
      value: 5,
      message: 'key: found 5; use an object such as { "key": "my-key", "plan": "free" }',
    },
    {
      schema: snapshotDocument,
      value: 5,
      message: 'Cannot set snapshot: found 5; use a snapshot of petstore-sandbox',
    },
    {
      schema: facts,
      value: { received: -1 },
      message: 'received: found -1; use a time in milliseconds',
    },
    {
      schema: entry,
      value: { durationMs: -1 },
      message: 'durationMs: found -1; use a duration in milliseconds',
    },
  ])('of $value says $message', ({ schema, value, message }) => {
    expect(() => readInput(schema, value)).toThrow(message)
  })
})
