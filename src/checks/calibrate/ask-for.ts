import { type ClientCall, requestOf } from '../../mock/api/gaps/steps.ts'
import { type GapName, gapDescriptions } from '../../mock/api/gaps.ts'
import { curlAddress, shellQuoted } from '../reports/text.ts'

/** Returns a command that sends the request which shows a service's value of a gap; `undefined` if no traffic shows it. */
export function askFor(name: GapName, baseUrl: string | null): string | undefined {
  const { ask, steps } = gapDescriptions[name]
  if (ask === null) return undefined
  const call = ask ?? steps.find((step) => 'call' in step)
  if (call === undefined) throw new Error('Cannot ask without a call')
  return commandOf(call, baseUrl ?? 'https://api.example.com/v1')
}

/** Writes a call as a command for a POSIX shell. */
function commandOf(call: ClientCall, baseUrl: string): string {
  const { times = 1, pauseMs, key } = call
  const { method, path, headers, body } = requestOf(
    key === null ? call : { ...call, key: 'free-key' },
  )
  const isCreate = method === 'POST'
  const lines = Object.entries(headers).map(([name, value]) => ` -H "${headerText(name, value)}"`)
  const line = [
    times === 1 ? 'curl -i' : 'curl -si',
    isCreate ? ' -X POST' : '',
    ...lines,
    isCreate ? ` -d ${shellQuoted(body)}` : '',
    ` ${curlAddress(baseUrl + path)}`,
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

/** Whether a command changes nothing and stays far from any limit. */
export function isSafe(ask: string): boolean {
  return !ask.includes('-X POST') && !ask.startsWith('for ')
}
