import { describe, expect, it } from 'vitest'
import { type OperationName, operationNames } from '../../../../src/mock/api/endpoints.ts'
import { type GapName, gapDescriptions, gapNames } from '../../../../src/mock/api/gaps.ts'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import { apiDescription, describedOperations } from '../../../kit/api-description.ts'
import { conformanceCases, createSandboxFor, play } from '../../../kit/conformance-cases.ts'

type ConformanceCase = (typeof conformanceCases)[number]

/** Plays a case and gives its outcome with the operation that it led to. */
async function playOne(
  one: ConformanceCase,
): Promise<{ outcome: Outcome; operation: OperationName | undefined }> {
  const sandbox = createSandboxFor(one)
  const outcome = await play(one, sandbox)
  return { outcome, operation: sandbox.requests.list().at(-1)?.operation }
}

/** The gap that a single request can't show. */
const shownLater: GapName = 'newPetListed'

/** The operations whose replies are others under a choice of one gap, as the conformance pairs show. */
async function operationsChangedBy(name: GapName): Promise<OperationName[]> {
  const changed = new Set<OperationName>()
  for (const { gaps: choices, ...one } of conformanceCases) {
    const isOfOne = choices !== undefined && Object.keys(choices).join() === name
    // What came before may have been changed, and not the operation itself.
    if (!isOfOne || (one.before !== undefined && name !== shownLater)) continue
    const byDefault = await playOne(one)
    const chosen = await playOne({ ...one, gaps: choices })
    // A choice can take an operation away.
    const operation = byDefault.operation ?? chosen.operation
    const isChanged = JSON.stringify(byDefault.outcome) !== JSON.stringify(chosen.outcome)
    if (isChanged && operation !== undefined) changed.add(operation)
  }
  return operationNames.filter((operation) => changed.has(operation))
}

function operationsThatName(gap: GapName): string[] {
  return describedOperations
    .filter(({ description }) => description.includes(`\`${gap}\``))
    .map(({ operationId }) => operationId)
}

const gapsOfSome = gapNames.filter((name) => gapDescriptions[name].operations?.length)
const others = gapNames.filter((name) => !gapsOfSome.includes(name))

describe('openapi.yaml', () => {
  it.each(gapsOfSome)(
    'names the gap %s in the operations whose replies it changes, and nowhere else',
    async (name) => {
      expect(operationsThatName(name)).toEqual(await operationsChangedBy(name))
    },
  )

  it('names at its beginning the gaps of all operations, and of what is none', () => {
    const named = [...apiDescription.info.description.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(others.toSorted())
  })
})
