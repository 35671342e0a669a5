import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../src/contract/endpoints.ts'
import { gapNames, gaps } from '../src/contract/gaps.ts'

/** The clauses of the interface; numbered points within one are named after it. */
const clauses = [
  '1',
  '2',
  '3',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '5.1',
  '5.2',
  '5.3',
  '6',
  '7',
  '8 page size',
  '8 plans',
  '8 headers',
  '8 behaviour 1',
  '8 behaviour 2',
  '8 behaviour 3',
  '8 behaviour 4',
  '8 behaviour 5',
  '9',
] as const

interface Row {
  readonly clause: (typeof clauses)[number]
  readonly file: string
  readonly title: string
}

/** Which tests hold which clause. */
const rows: readonly Row[] = [
  { clause: '1', file: 'engine/router.test.ts', title: 'finds $method $url' },
  { clause: '1', file: 'operations/read-json-body.test.ts', title: 'takes the type %s' },
  {
    clause: '2',
    file: 'operations/list-pets.test.ts',
    title: 'gives an array of pets with their fields as the spec names them',
  },
  {
    clause: '2',
    file: 'laws.test.ts',
    title: 'is read back as it was created, digit for digit and character for character',
  },
  {
    clause: '2',
    file: 'contract/pet.test.ts',
    title: 'writes the fields in the order of the spec',
  },
  {
    clause: '2',
    file: 'engine/handle.test.ts',
    title: 'repeats status $status in an Error body of three fields',
  },
  { clause: '3', file: 'operations/list-pets.test.ts', title: 'gives only pets that are %s' },
  {
    clause: '3',
    file: 'engine/router.test.ts',
    title: 'answers 405 for $method $url, allowing $allow',
  },
  {
    clause: '4.1',
    file: 'operations/list-pets.test.ts',
    title: 'gives $count pets of 150 for "$query"',
  },
  {
    clause: '4.1',
    file: 'operations/list-pets.test.ts',
    title: 'refuses status=%s with 400, saying which would do',
  },
  {
    clause: '4.2',
    file: 'operations/create-pet.test.ts',
    title: 'answers 201 with the pet and the id that it was given',
  },
  {
    clause: '4.2',
    file: 'operations/create-pet.test.ts',
    title: 'refuses $json with 400: $message',
  },
  {
    clause: '4.3',
    file: 'operations/get-pet.test.ts',
    title: 'gives the pet that has the id',
  },
  {
    clause: '4.3',
    file: 'operations/get-pet.test.ts',
    title: 'answers 404 for the id %s, which no pet has',
  },
  {
    clause: '4.3',
    file: 'engine/deprecation.test.ts',
    title: 'comes on 5 December 2030 by the clock, to the millisecond',
  },
  {
    clause: '4.4',
    file: 'operations/list-orders.test.ts',
    title: 'answers 501, since the spec shows nothing of an order',
  },
  {
    clause: '4.4',
    file: 'engine/router.test.ts',
    title: 'answers 405 for $method $url, allowing $allow',
  },
  { clause: '5.1', file: 'engine/authenticate.test.ts', title: 'needs a key for $method $url' },
  { clause: '5.2', file: 'engine/authenticate.test.ts', title: 'lets in "%s"' },
  {
    clause: '5.2',
    file: 'engine/authenticate.test.ts',
    title: 'does not look for a key in the query, as in %s',
  },
  {
    clause: '5.3',
    file: 'engine/authenticate.test.ts',
    title: 'refuses a key that $why as an invalid token',
  },
  {
    clause: '5.3',
    file: 'engine/authenticate.test.ts',
    title: 'asks for a key where there is no Authorization',
  },
  {
    clause: '6',
    file: 'engine/router.test.ts',
    title: 'answers 404 for the path of "%s", as the spec shows none such',
  },
  {
    clause: '7',
    file: 'engine/handle.test.ts',
    title: 'repeats status $status in an Error body of three fields',
  },
  {
    clause: '7',
    file: 'laws.test.ts',
    title:
      'gets a reply with all headers, and a body that is JSON and repeats the status of an error',
  },
  {
    clause: '8 page size',
    file: 'operations/list-pets.test.ts',
    title: 'refuses limit=%s with 400, saying which limits would do',
  },
  {
    clause: '8 page size',
    file: 'laws.test.ts',
    title: 'is never longer than its limit, and holds only what the filter lets through',
  },
  {
    clause: '8 plans',
    file: 'engine/rate-limit.test.ts',
    title: 'serves exactly $limit requests a minute of a $plan key',
  },
  {
    clause: '8 plans',
    file: 'engine/rate-limit.test.ts',
    title: 'serves exactly $limit requests a day of a $plan key',
  },
  {
    clause: '8 plans',
    file: 'engine/rate-limit.test.ts',
    title: 'holds a key to limits of its own',
  },
  {
    clause: '8 headers',
    file: 'engine/handle.test.ts',
    title: 'answers $status to $method $url with every header that is due and no other',
  },
  {
    clause: '8 headers',
    file: 'engine/rate-limit-headers.test.ts',
    title: 'counts down to 0 with the last request that is served',
  },
  {
    clause: '8 behaviour 1',
    file: 'laws/quota.test.ts',
    title: 'admits exactly its limit, whatever is asked, and of requests at the same time too',
  },
  {
    clause: '8 behaviour 2',
    file: 'laws/quota.test.ts',
    title: 'is over after exactly the time in Retry-After, which is the time of X-RateLimit-Reset',
  },
  {
    clause: '8 behaviour 2',
    file: 'laws/quota.test.ts',
    title: 'lasts until the instant in X-RateLimit-Reset, one millisecond before it included',
  },
  {
    clause: '8 behaviour 3',
    file: 'engine/ban.test.ts',
    title: 'comes with the request after the tenth that was refused in one window',
  },
  {
    clause: '8 behaviour 4',
    file: 'engine/ban.test.ts',
    title: 'ends at its instant, however many requests were sent meanwhile',
  },
  {
    clause: '8 behaviour 5',
    file: 'engine/rate-limit.test.ts',
    title: 'says in an HTTP date the same instant as in X-RateLimit-Reset',
  },
  {
    clause: '8 behaviour 5',
    file: 'engine/rate-limit.test.ts',
    title: 'rounds the wait up to $seconds s, $afterMs ms into the minute',
  },
  {
    clause: '9',
    file: 'contract/openapi.test.ts',
    title: 'carries the version 1.0.0 and an address that ends with /v1',
  },
  {
    clause: '9',
    file: 'engine/deprecation.test.ts',
    title: 'announces the removal of getPet on a reply to $what',
  },
]

/** The titles of a test file's tests, as they are written. */
function titlesIn(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  const written = /(?:\bit|\]\)|\))\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)")\s*,/g
  return [...text.matchAll(written)].map(([, single, double]) =>
    (single ?? double ?? '').replaceAll("\\'", "'"),
  )
}

describe('the interface', () => {
  it.each(clauses)('has a test for clause %s', (clause) => {
    expect(rows.filter((row) => row.clause === clause)).not.toEqual([])
  })

  it.each(rows)('$clause is held by $file: $title', ({ file, title }) => {
    expect(titlesIn(file)).toContain(title)
  })

  it('has every clause that an operation or a gap names', () => {
    const specs = [
      ...Object.values(endpoints).map(({ spec }) => spec),
      ...gapNames.map((name) => gaps[name].spec),
    ]
    const known = clauses.flatMap((clause) => [clause, clause.replace(/[ .].*$/, '')])
    expect(specs.filter((spec) => !known.includes(spec))).toEqual([])
  })
})
