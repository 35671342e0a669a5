import { isRecord } from '../../input/record.ts'
import { responseHeaders } from '../http.ts'
import { parseJson, toJson } from '../json.ts'
import type { Headers } from '../message.ts'
import type { Chosen, Gap } from './gap.ts'
import { get, list, listPets, missingPet } from './steps.ts'

/** A request of a page of another origin. */
const fromPage = get('/pets', { origin: 'https://shop.example' })

/** Gaps of the form of responses (spec 1), and of details that the spec never promises (spec 9). */
export const responseGaps = {
  contentType: {
    spec: '1',
    kind: 'enum',
    values: ['plain', 'charset'],
    summary: 'The Content-Type of responses: application/json, or the same with charset=utf-8.',
    steps: [listPets],
  },
  cors: {
    spec: '1',
    kind: 'enum',
    values: ['allowed', 'none'],
    summary: 'Whether pages of other origins can call the API: with CORS headers, or without.',
    steps: [fromPage],
  },
  exposedHeaders: {
    spec: '8',
    kind: 'enum',
    values: ['all', 'none'],
    summary:
      'The response headers that pages of other origins can read: all of the API, or none, as without Access-Control-Expose-Headers.',
    steps: [fromPage],
  },
  undocumentedProperty: {
    spec: '9',
    kind: 'enum',
    values: ['absent', 'present'],
    promised: false,
    summary: 'An extra, undocumented property in each pet and error.',
    steps: [listPets],
  },
  undocumentedStatus: {
    spec: '9',
    kind: 'enum',
    values: ['absent', 'present'],
    operations: ['listPets', 'createPet', 'getPet'],
    promised: false,
    summary:
      'The statuses of pets in responses: those listed, or also reserved for every pending pet with an odd id.',
    steps: [listPets],
    ask: list({ status: 'pending', limit: 100 }),
  },
  errorMessages: {
    spec: '9',
    kind: 'enum',
    values: ['default', 'generic'],
    promised: false,
    summary: "The wording of error messages: this sandbox's, or uninformative text.",
    steps: [missingPet],
  },
  dateHeaderSkew: {
    spec: '9',
    kind: 'shift',
    default: 'none',
    plausible: [3_600_000],
    promised: false,
    summary:
      'The time by which the Date of responses is ahead of the clock that counts requests and times retries.',
    steps: [listPets],
    ask: null,
  },
} as const satisfies Record<string, Gap>

type ResponseChoices = Chosen<typeof responseGaps>

/** Returns the `Content-Type` of a response with a body (spec 1). */
export function contentTypeText({ contentType }: ResponseChoices): string {
  return contentType === 'charset' ? 'application/json; charset=utf-8' : 'application/json'
}

const exposedNames = Object.values(responseHeaders)
  .filter((header) => header.exposed)
  .map((header) => header.spelling)
  .join(', ')

const corsHeadersByValue: { readonly [Value in ResponseChoices['exposedHeaders']]: Headers } = {
  all: {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedNames,
  },
  none: { 'access-control-allow-origin': '*' },
}

/** Returns the headers that let a page of any origin read a response (spec 1, 8). */
export function corsHeaders({
  cors,
  exposedHeaders,
}: Pick<ResponseChoices, 'cors' | 'exposedHeaders'>): Headers | undefined {
  return cors === 'none' ? undefined : corsHeadersByValue[exposedHeaders]
}

/** Adds an undocumented property to each pet, or to the error, of a body (spec 9). */
export function bodyText(body: string, { undocumentedProperty }: ResponseChoices): string {
  if (undocumentedProperty === 'absent') return body
  const found = parseJson(body)
  const extended = (one: unknown) => (isRecord(one) ? { ...one, unpromised: true } : one)
  return toJson(Array.isArray(found) ? found.map(extended) : extended(found))
}
