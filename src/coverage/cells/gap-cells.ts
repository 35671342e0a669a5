import { formatChoice, type Gap, type GapName, gapNames, gaps } from '../../contract/gaps.ts'
import { mapTable } from '../../input/record.ts'
import { calls, code } from './calls.ts'
import type { Cell } from './cell.ts'

const createPet = calls.createPet
const listPets = calls.listPets
const getPet = calls.getPet
const create = (body: string): string => `await client().createPet(${body})`
const list = (query: string): string => `await client().listPets(${query})`
const get = (path: string): string => `await client().get('${path}')`
const limited = "sandbox.keys.setRemaining('free-key', { minute: 0 }); "
const banned = "sandbox.keys.change('free-key', { ban: '1m' }); "

/** A request to which the choice at a gap matters. */
const requests: Readonly<Record<GapName, string>> = {
  omittedStatus: createPet,
  nullStatus: create("{ name: 'Rex', categoryId: 1, status: null }"),
  emptyName: create("{ name: '', categoryId: 1 }"),
  unknownProperties: create("{ name: 'Rex', categoryId: 1, color: 'red' }"),
  unknownCategory: create("{ name: 'Rex', categoryId: 999 }"),
  idSequence: createPet,
  missingContentType:
    "await client().createPet({ name: 'Rex', categoryId: 1 }, { 'content-type': undefined })",
  listOrder: listPets,
  invalidQuery: list('{ limit: 0 }'),
  repeatedQuery: get('/pets?limit=1&limit=2'),
  unknownQuery: list("{ color: 'red' }"),
  invalidPetId: "await client().getPet('x')",
  deprecatedSince: getPet,
  deprecationHeaders: getPet,
  afterSunset: `sandbox.clock.set('2030-12-05'); ${getPet}`,
  storeOrders: calls.listOrders,
  trailingSlash: get('/pets/'),
  unknownRouteWithoutKey: "await client(null).get('/nowhere')",
  unauthorizedQuota: listPets.replace('client()', 'client(null)'),
  unauthorizedLimit: listPets.replace('client()', 'client(null)'),
  errorCodes: 'await client().getPet(999)',
  quotaWindow: listPets,
  reportedWindow: listPets,
  countedRequests: 'await client().getPet(999)',
  retryAfterFormat: `${limited}${listPets}`,
  banAfter: `${limited}${listPets}`,
  banDuration: `${limited}for (let n = 0; n < 20; n++) ${listPets}`,
  banStatus: `${banned}${listPets}`,
  duplicateProperties: createPet,
  integerForms: createPet,
  deprecationOn: 'await client().getPet(999)',
  sunsetInstant: getPet,
  bearerScheme: "await client().get('/pets', { authorization: 'bearer free-key' })",
  refusalOrder: `${limited}${listPets}`,
  retryAfterPrecision: `${limited}${listPets}`,
  replyExtras: listPets,
  petStatuses: listPets,
  propertyOrder: listPets,
  dateSkew: listPets,
  messages: 'await client().getPet(999)',
}

/** The cells of the choices at a gap: of one that is listed, and of any other. */
export interface GapCells {
  /** By what is chosen, the default first. */
  readonly listed: Readonly<Record<string, string>>
  readonly other?: string
}

/** The cells at each gap. */
export const cellsByGap: Readonly<Record<GapName, GapCells>> = mapTable(gaps, (name) => {
  const gap: Gap = gaps[name]
  const listed = choicesOf(gap).map((one) => [one, `${name}=${formatChoice(name, one)}`])
  return {
    listed: Object.fromEntries(listed),
    ...(gap.kind === 'choice' ? {} : { other: `${name}=other` }),
  }
})

/** The choices that have a name: those listed, the default, and `never`. */
function choicesOf(gap: Gap): readonly (string | number)[] {
  if (gap.kind === 'choice') return gap.choices
  return gap.kind === 'count' ? [gap.default, 'never'] : [gap.default]
}

/** Each choice at each gap: the default, and the others. */
export const gapCells: readonly Cell[] = gapNames.flatMap((name) => {
  const gap: Gap = gaps[name]
  const howTo = (choice: string | number): string =>
    `sandbox.setGaps(${code({ [name]: formatChoice(name, choice) })}); ${requests[name]}`
  const listed = choicesOf(gap).map((choice, index) => ({
    cell: `${name}=${formatChoice(name, choice)}`,
    how: index === 0 ? requests[name] : howTo(choice),
  }))
  if (gap.kind === 'choice') return listed
  return [...listed, { cell: `${name}=other`, how: howTo(otherThan(gap)) }]
})

/** A choice that is not the default, of a gap where it is open. */
function otherThan(gap: Exclude<Gap, { kind: 'choice' }>): number {
  switch (gap.kind) {
    case 'count':
      return gap.default + 1
    case 'instant':
    case 'duration':
      return gap.default + 86_400_000
    case 'shift':
      return 90_000
    default:
      return gap satisfies never
  }
}
