import { describeRules } from '../../../kit/rule-cases.ts'
import { limited, type StoryStep } from '../../../kit/story.ts'

const deprecation = { deprecation: '@1764892800' }
const getPet: StoryStep = { url: '/v1/pets/1', responseHeaders: deprecation }
const list: StoryStep = {
  body: '[{"id":1,"name":"A"},{"id":2,"name":"B"},{"id":3,"name":"C"},{"id":4,"name":"D"},{"id":5,"name":"E"}]',
}
const notFound: StoryStep = { status: 404, code: 'not_found' }
const get = (id: number): StoryStep => ({ url: `/v1/pets/${id}`, after: 100 })
const gets: StoryStep[] = [1, 2, 3, 4, 5].map(get)
const longList: StoryStep = {
  body: JSON.stringify([1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, name: 'A' }))),
}

describeRules([
  {
    rule: 'warning deprecated-operation',
    found: [{ why: 'calls of it, once', story: [getPet, getPet] }],
    not: [
      { why: 'a reply that signals no deprecation', story: [{ url: '/v1/pets/1' }] },
      { why: 'other operations', story: [{}] },
    ],
  },
  {
    rule: 'error removed-operation',
    found: [
      {
        why: '404',
        story: [{ url: '/v1/pets/1', status: 404, code: 'not_found', gap: 'afterSunset' }],
      },
      { why: '410', story: [{ url: '/v1/pets/1', status: 410, code: 'gone', gap: 'afterSunset' }] },
    ],
    not: [
      {
        why: 'a pet that is not there',
        story: [{ url: '/v1/pets/1', status: 404, code: 'not_found' }],
      },
    ],
  },
  {
    rule: 'error id-precision-loss',
    found: [
      {
        why: 'an id of a list',
        story: [
          { body: '[{"id":9007199254740993,"name":"A"}]' },
          { url: '/v1/pets/9007199254740992', status: 404, code: 'not_found' },
        ],
      },
      {
        why: 'a new id',
        story: [
          { json: '{}', petId: 9223372036854775807n },
          { url: '/v1/pets/9223372036854775808', status: 404, code: 'not_found' },
        ],
      },
      {
        why: 'a new id as JavaScript writes the double',
        story: [
          { json: '{}', petId: 9223372036854775807n },
          { url: '/v1/pets/9223372036854776000', status: 404, code: 'not_found' },
        ],
      },
    ],
    not: [
      {
        why: 'the id as it was given',
        story: [{ body: '[{"id":9007199254740993}]' }, { url: '/v1/pets/9007199254740993' }],
      },
      {
        why: 'an id that was given, too',
        story: [
          { body: '[{"id":9007199254740993},{"id":9007199254740992}]' },
          { url: '/v1/pets/9007199254740992' },
        ],
      },
      { why: 'an id from elsewhere', story: [{ url: '/v1/pets/9007199254740992' }] },
      {
        why: 'a category',
        story: [
          { body: '[{"id":1,"categoryId":9007199254740993}]' },
          { url: '/v1/pets/9007199254740992', ...notFound },
        ],
      },
      {
        why: 'an id that a test put there after a reset',
        story: [
          { json: '{}', petId: 9007199254740995n },
          { mark: 'reset' },
          { mark: 'pets-changed' },
          { url: '/v1/pets/9007199254740996' },
        ],
      },
      {
        why: 'an id that another key was given',
        story: [
          { json: '{}', petId: 9007199254740995n },
          { json: '{}', petId: 9007199254740996n, key: 'other-key' },
          { url: '/v1/pets/9007199254740996', ...notFound },
        ],
      },
      {
        why: 'an id that was given before a reset',
        story: [
          { json: '{}', petId: 9007199254740996n },
          { mark: 'reset' },
          { json: '{}', petId: 9007199254740995n },
          { url: '/v1/pets/9007199254740996', ...notFound },
        ],
      },
      {
        why: 'an id of which a rejection leaves open whether a pet has it',
        story: [
          { json: '{}', petId: 9007199254740995n },
          { ...limited, url: '/v1/pets/9007199254740996' },
        ],
      },
      {
        why: 'an id of a reply that never arrived',
        story: [
          { json: '{}', petId: 9007199254740995n, broken: 'disconnect' },
          { url: '/v1/pets/9007199254740996', ...notFound },
        ],
      },
      {
        why: 'an id that was asked for before the other one was shown',
        story: [
          { json: '{}', petId: 9007199254740995n },
          { url: '/v1/pets/9007199254740996', ...notFound, together: true },
        ],
      },
    ],
  },
  {
    rule: 'info id-precision-loss',
    found: [
      {
        why: 'an id that a pet has which nobody was shown',
        story: [
          { mark: 'pets-changed' },
          { body: '[{"id":9007199254740995}]' },
          { url: '/v1/pets/9007199254740996' },
        ],
      },
    ],
    not: [],
  },
  {
    rule: 'info list-truncated',
    found: [
      { why: 'more than the default', story: [{ url: '/v1/pets', total: 21 }] },
      { why: 'more than the maximum', story: [{ url: '/v1/pets?limit=100', total: 101 }] },
      { why: 'more than any limit can be', story: [{ url: '/v1/pets?limit=500', total: 101 }] },
    ],
    not: [
      { why: 'a list that broke off', story: [{ url: '/v1/pets', total: 21, delivery: 'broken' }] },
      {
        why: 'all of them',
        story: [
          { url: '/v1/pets', total: 20 },
          { url: '/v1/pets?limit=100', total: 100 },
        ],
      },
      { why: 'as few as were asked for', story: [{ url: '/v1/pets?limit=5', total: 101 }] },
    ],
  },
  {
    rule: 'warning n-plus-one',
    found: [
      { why: 'five pets of a list', story: [list, ...gets] },
      {
        why: 'seven of them, once',
        story: [longList, ...[1, 2, 3, 4, 5, 6, 7].map(get)],
      },
    ],
    not: [
      { why: 'four pets', story: [list, ...gets.slice(1)] },
      { why: 'pets that the list has not', story: [{ body: '[]' }, ...gets] },
      {
        why: 'pets of a list that broke off',
        story: [{ ...list, delivery: 'broken' }, ...gets],
      },
      { why: 'the same pet', story: [list, ...Array.from({ length: 6 }, () => gets[0] ?? {})] },
      { why: 'a list of long ago', story: [list, { ...gets[0], after: 20_000 }, ...gets.slice(1)] },
      {
        why: 'pets that a person looks at, while the clock of the sandbox stands',
        story: [list, ...gets.map((one) => ({ ...one, after: 0, really: 3_500 }))],
      },
      { why: 'a new pet between', story: [list, { json: '{}' }, ...gets] },
      { why: 'pets that were changed', story: [list, { mark: 'pets-changed' }, ...gets] },
      {
        why: 'all at once with the list',
        story: [list, ...gets.map((one) => ({ ...one, together: true as const }))],
      },
    ],
  },
])
