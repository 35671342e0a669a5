import type { Chosen, Gap } from './gap.ts'
import { get, listOrders, missingPet } from './steps.ts'

/** Gaps of paths, keys and errors (spec 4, 5, 7). */
export const errorGaps = {
  invalidPetId: {
    spec: '4.3',
    kind: 'enum',
    values: ['not-found', 'bad-request'],
    operations: ['getPet'],
    summary: 'A petId that is not an int64: 404, or 400.',
    steps: [{ call: 'getPet', args: ['rex'] }],
  },
  storeOrders: {
    spec: '4.4',
    kind: 'enum',
    values: ['not-implemented', 'not-found', 'empty-list'],
    operations: ['listOrders'],
    summary: 'GET /store/orders: 501, 404, or an empty list.',
    steps: [listOrders],
  },
  trailingSlash: {
    spec: '4',
    kind: 'enum',
    values: ['not-found', 'ignore', 'redirect-308', 'redirect-307', 'redirect-301'],
    summary:
      'A path with a trailing slash, such as /pets/: 404, the same as without it, or a redirect to the path without it.',
    steps: [get('/pets/')],
  },
  unknownRouteWithoutKey: {
    spec: '5',
    kind: 'enum',
    values: ['unauthorized', 'not-found'],
    operations: [],
    summary: 'An unknown path or method without a valid key: 401, or 404 and 405.',
    steps: [{ ...get('/nothing'), key: null }],
  },
  bearerScheme: {
    spec: '5',
    kind: 'enum',
    values: ['case-insensitive', 'case-sensitive'],
    summary: 'The spelling of the scheme in Authorization: in any letter case, or exactly Bearer.',
    steps: [get('/pets', { authorization: 'bearer free-key' })],
  },
  errorCodes: {
    spec: '7',
    kind: 'enum',
    values: ['snake_case', 'UPPER_CASE', 'opaque'],
    summary: 'The spelling of error codes.',
    steps: [missingPet],
  },
} as const satisfies Record<string, Gap>

/** Formats an error code. */
export function codeText(
  code: string,
  opaque: string,
  { errorCodes }: Chosen<typeof errorGaps>,
): string {
  if (errorCodes === 'opaque') return opaque
  return errorCodes === 'UPPER_CASE' ? code.toUpperCase() : code
}

/** Returns the status with which a path with a trailing slash redirects (spec 4); `undefined` if it doesn't. */
export function slashRedirect({
  trailingSlash,
}: Pick<Chosen<typeof errorGaps>, 'trailingSlash'>): number | undefined {
  const [, status] = trailingSlash.split('redirect-')
  return status === undefined ? undefined : Number(status)
}
