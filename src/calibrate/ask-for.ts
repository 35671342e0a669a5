import type { GapName } from '../contract/gaps.ts'
import { shellQuoted } from '../reports/text.ts'

/** What to ask: the method with its options, and the rest of the command. */
const get = (path: string, more = ''): string =>
  `curl -i${more} -H "Authorization: Bearer $API_KEY" <${path}>`

const post = (body: string, more = ' -H "Content-Type: application/json"'): string =>
  `curl -i -X POST -H "Authorization: Bearer $API_KEY"${more} -d '${body}' </pets>`

const times = (count: number, line: string): string =>
  `for i in $(seq ${count}); do ${line.replace('curl -i', 'curl -si')}; done`

const rex = '"name":"Rex","categoryId":1'

/** A request for each gap that would tell what the service does there; paths stand in angle brackets. */
const requests: { readonly [Name in GapName]: string } = {
  omittedStatus: post(`{${rex}}`),
  nullStatus: post(`{${rex},"status":null}`),
  emptyName: post('{"name":"","categoryId":1}'),
  maxNameLength: post(`{"name":"${'x'.repeat(201)}","categoryId":1}`),
  unknownProperties: post(`{${rex},"color":"red"}`),
  duplicateProperties: post(`{"name":"Max",${rex}}`),
  unknownCategory: post('{"name":"Rex","categoryId":9007199254740993}'),
  idSequence: times(7, post(`{${rex}}`)),
  integerForms: get('/pets?limit=01'),
  missingContentType: post(`{${rex}}`, ' -H "Content-Type:"'),
  listOrder: get('/pets?limit=100'),
  invalidQuery: get('/pets?limit=0'),
  repeatedQuery: get('/pets?status=sold&status=available'),
  unknownQuery: get('/pets?color=red'),
  invalidPetId: get('/pets/rex'),
  deprecatedSince: get('/pets/1'),
  deprecationHeaders: get('/pets/1'),
  deprecationOn: get('/pets/0'),
  afterSunset: get('/pets/1'),
  sunsetInstant: get('/pets/1'),
  storeOrders: get('/store/orders'),
  trailingSlash: get('/pets/'),
  unknownRouteWithoutKey: 'curl -i </nothing>',
  bearerScheme: 'curl -i -H "Authorization: bearer $API_KEY" </pets>',
  unauthorizedQuota: times(2, 'curl -i </pets>'),
  unauthorizedLimit: times(62, 'curl -i </pets>'),
  errorCodes: get('/pets/0'),
  quotaWindow: `for i in $(seq 15); do curl -si -H "Authorization: Bearer $API_KEY" </pets?limit=1>; sleep 7; done`,
  reportedWindow: times(2, get('/pets')),
  countedRequests: times(8, get('/pets/0')),
  refusalOrder: times(62, get('/nothing')),
  retryAfterFormat: times(61, get('/pets?limit=1')),
  retryAfterPrecision: times(61, get('/pets?limit=1')),
  banAfter: times(80, get('/pets?limit=1')),
  banDuration: times(80, get('/pets?limit=1')),
  banStatus: times(80, get('/pets?limit=1')),
  replyExtras: get('/pets'),
  petStatuses: get('/pets?status=pending&limit=100'),
  propertyOrder: get('/pets?limit=100'),
  messages: get('/pets/0'),
  dateSkew: times(61, get('/pets?limit=1')),
}

/** Returns the request that would tell what a service does at a gap. */
export function askFor(name: GapName, baseUrl: string | null): string {
  const address = baseUrl ?? 'https://api.example.com/v1'
  return requests[name].replaceAll(/<(.*?)>/g, (_, path: string) => shellQuoted(address + path))
}

/** Whether a request changes nothing, and comes near no limit. */
export function isSafe(ask: string): boolean {
  return !ask.includes('-X POST') && !ask.startsWith('for ')
}
