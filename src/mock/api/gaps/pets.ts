import type { Gap } from './gap.ts'
import { create, createPet, get } from './steps.ts'

/** Gaps of new pets (spec 2, 4.2). */
export const petGaps = {
  defaultStatus: {
    spec: '2',
    kind: 'enum',
    values: ['available', 'none', 'pending', 'sold'],
    operations: ['createPet'],
    summary: 'The status of a pet that is added without one.',
    steps: [createPet],
  },
  nullStatus: {
    spec: '2',
    kind: 'enum',
    values: ['reject', 'omit'],
    operations: ['createPet'],
    summary: 'A new pet whose status is null: 400, or treated as omitted.',
    steps: [create({ name: 'Rex', categoryId: 1, status: null })],
  },
  emptyName: {
    spec: '2',
    kind: 'enum',
    values: ['accept', 'reject'],
    operations: ['createPet'],
    summary: 'A new pet with an empty name.',
    steps: [create({ name: '', categoryId: 1 })],
  },
  maxNameLength: {
    spec: '2',
    kind: 'count',
    default: 1_000,
    plausible: [200, 'never'],
    operations: ['createPet'],
    summary: 'The maximum length of a name in a new pet, in characters; a longer one gets 400.',
    steps: [create({ name: 'x'.repeat(1_001), categoryId: 1 })],
    ask: create({ name: 'x'.repeat(201), categoryId: 1 }),
  },
  unknownProperties: {
    spec: '2',
    kind: 'enum',
    values: ['ignore', 'reject'],
    operations: ['createPet'],
    summary: 'Unknown properties of a new pet, including id.',
    steps: [create({ name: 'Rex', categoryId: 1, color: 'red' })],
  },
  unknownCategory: {
    spec: '2',
    kind: 'enum',
    values: ['accept', 'reject'],
    operations: ['createPet'],
    summary: 'A new pet whose category has no pet in the seed.',
    steps: [create({ name: 'Rex', categoryId: 999 })],
    ask: create('{"name":"Rex","categoryId":9007199254740993}'),
  },
  idSequence: {
    spec: '2',
    kind: 'enum',
    values: ['sequential', 'large', 'random'],
    operations: ['createPet'],
    summary:
      'The ids of new pets: counting up from the highest, odd numbers above 2^53 (which a double cannot hold), or random int64.',
    steps: [createPet],
    ask: { ...createPet, times: 7 },
  },
  nonCanonicalIntegers: {
    spec: '2',
    kind: 'enum',
    values: ['accept', 'reject'],
    operations: ['createPet', 'listPets', 'getPet'],
    summary:
      'An integer in an unusual form: 1.0 or 1e3 in a new pet, 01 in a query, 01 or -0 in a path. 1.0 and 1e3 in a query or a path are never integers.',
    steps: [createPet],
    ask: get('/pets?limit=01'),
  },
  missingContentType: {
    spec: '4.2',
    kind: 'enum',
    values: ['reject', 'accept'],
    operations: ['createPet'],
    summary: 'A body without a Content-Type.',
    steps: [create({ name: 'Rex', categoryId: 1 }, { 'content-type': undefined })],
  },
} as const satisfies Record<string, Gap>
