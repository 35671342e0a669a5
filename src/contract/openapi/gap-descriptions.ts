import type { OperationName } from '../endpoints.ts'
import type { GapName } from '../gaps.ts'

/** What is said of a gap, beside what the engine has to know of it. */
interface GapDescription {
  /** The operations that it touches. */
  readonly operations: 'all' | readonly OperationName[]
  readonly about: string
}

/**
 * The gaps at which a choice brings about what no clause speaks of: a service may do so at any time, and a client that
 * breaks depends on more than it was promised.
 */
export const unpromisedGaps: readonly GapName[] = [
  'replyExtras',
  'petStatuses',
  'propertyOrder',
  'messages',
  'dateSkew',
]

/** What the interface leaves open at each gap. */
export const gapDescriptions: { readonly [Name in GapName]: GapDescription } = {
  omittedStatus: {
    operations: ['createPet'],
    about: 'The status of a pet that is added without one.',
  },
  nullStatus: {
    operations: ['createPet'],
    about: 'A new pet with the status null: 400, or as if it had none.',
  },
  emptyName: { operations: ['createPet'], about: 'A new pet with an empty name.' },
  unknownProperties: {
    operations: ['createPet'],
    about: 'Unknown properties of a new pet, including id.',
  },
  duplicateProperties: {
    operations: ['createPet'],
    about: 'A property that a new pet is given twice: the last one counts, or 400.',
  },
  unknownCategory: {
    operations: ['createPet'],
    about: 'A new pet whose category has no pet in the seed.',
  },
  idSequence: {
    operations: ['createPet'],
    about:
      'The ids of new pets: counting up from the highest, odd numbers above 2^53 (none is a double), or random (positive int64, seeded).',
  },
  integerForms: {
    operations: ['createPet', 'listPets', 'getPet'],
    about:
      'An integer in an unusual form, such as 1.0 or 1e3 in a new pet, 01 in a query, 01 or -0 in a path: read as JSON Schema and decimal digits have it, or refused as no integer.',
  },
  missingContentType: { operations: ['createPet'], about: 'A body without a Content-Type.' },
  listOrder: {
    operations: ['listPets'],
    about: 'The order of the list; the same seed shuffles the same way.',
  },
  invalidQuery: {
    operations: ['listPets'],
    about: 'An invalid limit or status: 400, or clamp the limit and drop the filter.',
  },
  repeatedQuery: {
    operations: ['listPets'],
    about: 'A limit or status given more than once: 400, or the first or last one counts.',
  },
  unknownQuery: { operations: 'all', about: 'Unknown query parameters.' },
  invalidPetId: { operations: ['getPet'], about: 'A petId that is not an int64: 404, or 400.' },
  deprecatedSince: {
    operations: ['getPet'],
    about: 'The instant in the Deprecation header of GET /pets/{petId}.',
  },
  deprecationHeaders: {
    operations: ['getPet'],
    about:
      'How replies announce the deprecation: by RFC 9745 and 8594, by the older draft, or not at all.',
  },
  deprecationOn: {
    operations: ['getPet'],
    about:
      'Which replies of a deprecated operation announce its removal: all, or only those with 2xx.',
  },
  afterSunset: {
    operations: ['getPet'],
    about: 'GET /pets/{petId} from 5 December 2030 on: 404, 410, or as before.',
  },
  sunsetInstant: {
    operations: ['getPet'],
    about:
      'When GET /pets/{petId} goes on 5 December 2030: as the day begins, in UTC, or in its last second.',
  },
  storeOrders: {
    operations: ['listOrders'],
    about: 'GET /store/orders: 501, 404, or an empty list.',
  },
  trailingSlash: {
    operations: 'all',
    about: 'A path that ends in a slash, such as /pets/: 404, or the same as without.',
  },
  unknownRouteWithoutKey: {
    operations: [],
    about: 'An unknown path or method without a valid key: 401, or 404 and 405.',
  },
  bearerScheme: {
    operations: 'all',
    about:
      'How the scheme in Authorization may be written: in any letter case, or exactly as Bearer.',
  },
  unauthorizedQuota: {
    operations: 'all',
    about: 'Whether X-RateLimit-Remaining counts down for requests without a valid key.',
  },
  unauthorizedLimit: {
    operations: 'all',
    about:
      'What a request without a valid key gets once its X-RateLimit-Remaining is used up: 401 as before, or 429.',
  },
  errorCodes: { operations: 'all', about: 'How error codes are written.' },
  quotaWindow: {
    operations: 'all',
    about:
      'When requests stop counting: as the UTC minute or day ends, a minute or day after the second of the first request, or each for itself (sliding).',
  },
  reportedWindow: {
    operations: 'all',
    about:
      'The window that X-RateLimit-* describes; in a 429 for a full window it is always that one.',
  },
  countedRequests: {
    operations: 'all',
    about: 'Which requests count: all that are let in, or only those that end in 2xx.',
  },
  refusalOrder: {
    operations: 'all',
    about:
      'What a request over a limit or of a banned key gets that would be refused anyway: 429, or the 400, 404, 405 or 501 of the request, which then is no step to a ban.',
  },
  retryAfterFormat: {
    operations: 'all',
    about: 'The form of Retry-After: seconds from now, or an HTTP date.',
  },
  retryAfterPrecision: {
    operations: 'all',
    about:
      'How exact Retry-After is: the instant from which requests are served, or five seconds later, as cautious services say.',
  },
  banAfter: {
    operations: 'all',
    about: 'How many refusals in one window are only refusals; the next request bans the key.',
  },
  banDuration: { operations: 'all', about: 'How long a ban lasts.' },
  banStatus: { operations: 'all', about: 'The status of replies to a banned key.' },
  replyExtras: {
    operations: 'all',
    about: 'A property that nobody knows, unpromised, in each pet and error.',
  },
  petStatuses: {
    operations: ['listPets', 'createPet', 'getPet'],
    about:
      'The statuses of pets in replies: those that are listed, or reserved too, for every pending pet with an odd id.',
  },
  propertyOrder: {
    operations: 'all',
    about:
      'The order of the properties of pets and errors: as the interface lists them, or another for each.',
  },
  messages: {
    operations: 'all',
    about: 'The words of error messages: those of this sandbox, or others that say nothing.',
  },
  dateSkew: {
    operations: 'all',
    about:
      'How far the Date of replies is ahead of the clock by which requests are counted and retries are due.',
  },
}
