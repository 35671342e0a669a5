import { isRecord } from '../../mock/input/record.ts'
import { endpoints } from '../../mock/spec/endpoints.ts'
import type { Gap } from '../../mock/spec/gaps/gap.ts'
import type { ClientCall } from '../../mock/spec/gaps/steps.ts'
import { type GapName, gapDescriptions } from '../../mock/spec/gaps.ts'
import { curlAddress, shellQuoted } from '../reports/text.ts'

/** Returns a command that sends the request which shows a service's value of a gap. */
export function askFor(name: GapName, baseUrl: string | null): string {
  return commandOf(callAt(gapDescriptions[name]), baseUrl ?? 'https://api.example.com/v1')
}

function callAt({ ask, steps }: Gap): ClientCall {
  const call = ask ?? steps.find((step) => 'call' in step)
  if (call === undefined) throw new Error('Cannot ask without a call')
  return call
}

/** Writes a call as a command for a POSIX shell. */
function commandOf({ call, args, key, times = 1, pauseMs }: ClientCall, baseUrl: string): string {
  const [first, second] = args
  const isCreate = call === 'createPet'
  const own = isRecord(isCreate || call === 'get' ? second : undefined) ? Object(second) : {}
  const headers = Object.entries({
    ...(key === null ? {} : { authorization: 'Bearer free-key' }),
    ...(isCreate ? { 'content-type': 'application/json' } : {}),
    ...own,
  }).map(([header, value]) => ` -H "${headerText(header, value)}"`)
  const body = typeof first === 'string' ? first : JSON.stringify(first)
  const line = [
    times === 1 ? 'curl -i' : 'curl -si',
    isCreate ? ' -X POST' : '',
    ...headers,
    isCreate ? ` -d ${shellQuoted(body)}` : '',
    ` ${curlAddress(baseUrl + targetOf(call, first))}`,
  ].join('')
  const pause = pauseMs === undefined ? '' : `; sleep ${pauseMs / 1000}`
  return times === 1 ? line : `for i in $(seq ${times}); do ${line}${pause}; done`
}

/** Writes a header for double quotes, so that the shell inserts the key. */
function headerText(name: string, value: unknown): string {
  const spelling = name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
  if (value === undefined) return `${spelling}:`
  return `${spelling}: ${String(value).replace('free-key', '$API_KEY')}`
}

/** Returns the path and query of a call, below the address of the API. */
function targetOf(call: ClientCall['call'], given: unknown): string {
  if (call === 'get') return String(given)
  const { path } = endpoints[call]
  if (call === 'getPet') return path.replace('{petId}', encodeURIComponent(String(given)))
  if (call !== 'listPets' || !isRecord(given)) return path
  const query = Object.entries(given).map(([name, value]) => [name, String(value)])
  return `${path}?${new URLSearchParams(query)}`
}

/** Whether a command changes nothing and stays far from any limit. */
export function isSafe(ask: string): boolean {
  return !ask.includes('-X POST') && !ask.startsWith('for ')
}
