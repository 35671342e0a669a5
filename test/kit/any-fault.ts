import fc from 'fast-check'
import { operationNames } from '../../src/mock/api/endpoints.ts'
import type { FaultSettings } from '../../src/mock/faults/fault-rules.ts'

const anyEffect = fc.oneof(
  fc.record(
    {
      fault: fc.constant('status'),
      status: fc.integer({ min: 400, max: 599 }),
      retryAfter: fc.nat(86_400_000),
    },
    { requiredKeys: ['fault', 'status'] },
  ),
  fc
    .tuple(fc.nat(86_400_000), fc.nat(86_400_000))
    .map(([one, other]) => ({ fault: 'latency', ms: [one, other].sort((a, b) => a - b) })),
  fc.record({ fault: fc.constant('latency'), ms: fc.constantFrom('0ms', '1.5s', '1h30m', 250) }),
  fc.record({ fault: fc.constant('slow-body'), ms: fc.nat(86_400_000) }),
  fc.record({ fault: fc.constant('disconnect'), when: fc.constantFrom('before', 'body') }),
  fc.record({
    fault: fc.constantFrom('rate-limit', 'timeout', 'malformed-json', 'truncated-body'),
  }),
)

/** Any fault, with any filters. */
export const anyFault = fc
  .tuple(
    anyEffect,
    fc.record(
      {
        operation: fc.constantFrom(...operationNames),
        method: fc.constantFrom('GET', 'HEAD', 'POST'),
        key: fc.constantFrom('free-key', 'pro-key'),
        times: fc.integer({ min: 1, max: 5 }),
        skip: fc.nat(5),
        probability: fc.double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([effect, filter]) => ({ ...effect, ...filter }) as FaultSettings)
