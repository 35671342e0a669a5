import type { Gap } from './gap.ts'
import { createPet, get, list, listPets } from './steps.ts'

/** Gaps of lists and queries (spec 4.1). */
export const listGaps = {
  newPetListed: {
    spec: '4.1',
    kind: 'shift',
    default: 'at-once',
    plausible: [5_000],
    operations: ['listPets'],
    summary: 'The delay until GET /pets shows a new pet; by its id, the pet is there at once.',
    steps: [createPet, list({ limit: 100 })],
    ask: null,
  },
  listOrder: {
    spec: '4.1',
    kind: 'enum',
    values: ['id-ascending', 'id-descending', 'shuffled'],
    operations: ['listPets'],
    summary: 'The order of the list; the same seed shuffles the same way.',
    steps: [listPets],
    ask: list({ limit: 100 }),
  },
  invalidQuery: {
    spec: '4.1',
    kind: 'enum',
    values: ['reject', 'ignore'],
    operations: ['listPets'],
    summary:
      'An invalid limit or status: 400, or a limit out of range counts as the nearest one, any other as 20, and the filter is dropped.',
    steps: [list({ limit: 0 })],
  },
  duplicateQuery: {
    spec: '4.1',
    kind: 'enum',
    values: ['reject', 'first', 'last'],
    operations: ['listPets'],
    summary: 'A limit or status given more than once: 400, or the first or last one counts.',
    steps: [get('/pets?status=sold&status=available')],
  },
  unknownQuery: {
    spec: '4.1',
    kind: 'enum',
    values: ['ignore', 'reject'],
    summary: 'Unknown query parameters.',
    steps: [list({ color: 'red' })],
  },
} as const satisfies Record<string, Gap>
