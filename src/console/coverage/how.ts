import { endpoints, operationNames } from '../../contract/endpoints.ts'
import { type SentRequest, shellCommand } from '../../reports/request-text.ts'
import type { ConsoleClient } from '../live/console-client.ts'

/** A step that brings a cell of the coverage about, read from its line. */
export type Step =
  /** What the console can do itself. */
  | { readonly kind: 'control'; readonly run: (client: ConsoleClient) => Promise<unknown> }
  /** What the client has to send, with its path below the API. */
  | { readonly kind: 'request'; readonly times: number; readonly request: SentRequest }

/** The controls that lines use, by their names in code; what they are given comes from the process. */
const controls: Readonly<
  Record<string, (client: ConsoleClient, given: readonly never[]) => Promise<unknown>>
> = {
  'keys.setRemaining': ({ keys }, [key, left]) => keys.setRemaining(key as never, left as never),
  'keys.change': ({ keys }, [key, change]) => keys.change(key as never, change as never),
  'pets.clear': ({ pets }) => pets.clear(),
  'clock.set': ({ clock }, [to]) => clock.set(to as never),
  'clock.advance': ({ clock }, [by]) => clock.advance(by as never),
  'faults.add': ({ faults }, [fault]) => faults.add(fault as never),
  setGaps: (client, [gaps]) => client.setGaps(gaps as never),
}

/** Reads the line of a cell; `undefined` for one that isn't as this page knows them. */
export function stepsOf(how: string, now: number): readonly Step[] | undefined {
  // The body of a loop has a semicolon of its own.
  const steps = how.split(/; (?=sandbox|await|for)/).map((statement) => stepOf(statement, now))
  return steps.every((step) => step !== undefined) ? steps : undefined
}

function stepOf(statement: string, now: number): Step | undefined {
  const [, name = '', given] = /^sandbox\.([\w.]+)\((.*)\)$/.exec(statement) ?? []
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (given !== undefined) {
    const values = valuesIn(given.replaceAll('sandbox.clock.now()', String(now)))
    return control && { kind: 'control', run: (client) => control(client, values) }
  }
  const call = /^(?:for \(.*< (\d+); n\+\+\) )?await client\((.*?)\)\.(\w+)\((.*)\)$/
  const [, times = '1', key, method = '', args = ''] = call.exec(statement) ?? []
  if (key === undefined) return undefined
  const request = requestOf(method, valuesIn(args), valuesIn(key)[0])
  return request && { kind: 'request', times: Number(times), request }
}

/** Reads values as code has them: `'free-key', { minute: 0 }`. */
function valuesIn(code: string): readonly never[] {
  const json = code
    .replaceAll("'", '"')
    .replaceAll('undefined', 'null')
    .replace(/([{,]\s*)([A-Za-z]\w*):/g, '$1"$2":')
  return JSON.parse(`[${json}]`)
}

function requestOf(name: string, given: readonly unknown[], key: unknown): SentRequest | undefined {
  const operation = operationNames.find((one) => one === name)
  if (operation === undefined && name !== 'get') return undefined
  const [first, second] = given
  const own = (operation === undefined || operation === 'createPet' ? second : undefined) ?? {}
  const json = operation === 'createPet' ? { 'content-type': 'application/json' } : {}
  const bearer = key === null ? {} : { authorization: `Bearer ${key ?? 'free-key'}` }
  const headers = Object.entries({ ...bearer, ...json, ...own })
  return {
    method: operation === undefined ? 'GET' : endpoints[operation].method,
    path: pathOf(operation, first),
    headers: headers.flatMap(([header, value]) =>
      value === null ? [] : [[header, String(value)] as const],
    ),
    body: operation === 'createPet' ? JSON.stringify(first) : '',
  }
}

function pathOf(operation: keyof typeof endpoints | undefined, given: unknown): string {
  if (operation === undefined) return String(given)
  const { path } = endpoints[operation]
  if (operation === 'getPet') return path.replace('{petId}', encodeURIComponent(String(given)))
  if (operation !== 'listPets' || given === undefined) return path
  return `${path}?${new URLSearchParams(given as Record<string, string>)}`
}

/** The requests of a line as a command for a POSIX shell. */
export function curlOf(steps: readonly Step[], apiUrl: string): string {
  const commands = steps.flatMap((step) => {
    if (step.kind !== 'request') return []
    const command = shellCommand(step.request, apiUrl)
    return step.times === 1 ? command : `for n in $(seq ${step.times}); do ${command}; done`
  })
  return commands.join('\n')
}
