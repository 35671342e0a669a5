import { countText, cut } from '../../checks/reports/text.ts'
import { operationNames } from '../../mock/api/endpoints.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { list, object, optional } from '../../mock/input/object.ts'
import { type Output, readInput } from '../../mock/input/schema.ts'
import { nameIn, oneOf, string } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import { CliError } from '../cli-error.ts'
import { isFile, readBytes } from '../files.ts'
import type { Complaint } from './complaint.ts'
import type { ClientBehaviour } from './observer.ts'

/** Errors with which a call can end, each with the requests that end so. */
const errors = {
  'rate-limited': hasStatus(429),
  unauthorized: hasStatus(401),
  invalid: hasStatus(400),
  'not-found': hasStatus(404, 410),
  unavailable: (request: RequestView) => statusOf(request) >= 500,
  unreadable: (request: RequestView) => statusOf(request) < 300 && !isJson(bodyOf(request)),
  'no-response': ({ outcome, delivery }: RequestView) =>
    outcome.kind !== 'response' || delivery === 'aborted',
} as const

const callResult = object(
  {
    call: oneOf(operationNames),
    /** Id of the pet that the call returned. */
    id: optional(string),
    /** Ids of the pets that the call returned. */
    ids: optional(list(string)),
    /** Error with which it ended. */
    error: optional(nameIn(errors)),
  },
  { title: 'result', example: '{ "call": "createPet", "id": "9007199254740993" }' },
)

/** Result of a call, as a client reports it. */
export type CallResult = Output<typeof callResult>

/**
 * Reads the results that a command has written: a JSON object a line.
 *
 * @throws {@link CliError} for a line that isn't a result.
 */
export async function readCalls(file: string): Promise<readonly CallResult[]> {
  if (!isFile(file)) return []
  const lines = (await readBytes(file)).toString('utf8').split('\n')
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : readLine(callResult, line, index + 1, '$PETSTORE_RESULTS'),
  )
}

/** @throws {@link CliError} that names the line and its file. */
export function readLine<Value>(
  schema: Parameters<typeof readInput<Value>>[0],
  line: string,
  number: number,
  file: string,
): Value {
  try {
    return readInput(schema, JSON.parse(line))
  } catch (error) {
    if (!(error instanceof InputError || error instanceof SyntaxError)) throw error
    throw new CliError(`Cannot read line ${number} of ${file}: ${error.message}`, 2)
  }
}

/** Maximum length of a description, in characters. */
const maxText = 300

/** Returns the complaints about results that differ from what the sandbox received and sent. */
export function resultComplaints(
  runs: readonly { readonly calls: readonly CallResult[] }[],
  { entries }: Pick<ClientBehaviour, 'entries'>,
): readonly Complaint[] {
  const calls = runs.flatMap((run) => run.calls)
  const found = operationNames.flatMap((name) => {
    const own = calls.filter(({ call }) => call === name)
    const requests = entries.filter(({ operation }) => operation === name)
    if (own.length === 0 || requests.length === 0) return []
    // The log cuts long bodies.
    const isCut = requests.some(({ outcome }) => 'bodyBytes' in outcome)
    return isCut ? [] : differences(name, own, { requests, entries })
  })
  return found.filter((one) => one === found.find(({ what }) => what === one.what))
}

/**
 * @param sent `requests` of this operation, and `entries` of all: after one was rejected, a client may fail others unsent.
 */
function differences(
  name: string,
  calls: readonly CallResult[],
  { requests, entries }: Readonly<Record<'requests' | 'entries', readonly RequestView[]>>,
): readonly Complaint[] {
  const whole = requests.filter((one) => statusOf(one) < 300 && isJson(bodyOf(one)))
  const added = requests.flatMap(({ decision: { petId } }) => petId ?? [])
  const returned = [...added, ...(name === 'createPet' ? [] : whole.flatMap(idsIn))]
  const lists = whole.map(idsIn)
  const ended = requests.map(endOf).join(', ')
  const successes = calls.filter(({ error }) => error === undefined)
  const possible = name === 'createPet' ? added.length : whole.length
  if (successes.length > 0 && possible === 0) {
    return [
      complaint(
        'reports a false success',
        `${name} reported success; the service sent: ${ended}.`,
        'Return an error if no response to the call was a success.',
      ),
    ]
  }
  const id = successes.find((one) => one.id !== undefined && !returned.includes(one.id))?.id
  const wrongIds = successes.find(({ ids }) => ids !== undefined && !isOneOf(ids, lists))?.ids
  const wrongError = calls
    .flatMap(({ error }) => error ?? [])
    .find((error) => !entries.some(errors[error]))
  return [
    ...(id === undefined
      ? []
      : [
          complaint(
            'returns another id',
            `${name} returned the id ${id}; the service sent ${returned.join(', ')}.`,
            'Read ids as 64-bit integers, or as text, and return the pet of the response.',
          ),
        ]),
    ...(wrongIds === undefined
      ? []
      : [
          complaint(
            'returns another list',
            `${name} returned ${countText(wrongIds.length, 'pet')} (${wrongIds.join(', ')}); the service sent ${lists.map((ids) => `${ids.length} (${ids.join(', ')})`).join('; ')}.`,
            'Return each pet of the response, in its order.',
          ),
        ]),
    ...(name !== 'createPet' || added.length <= calls.length
      ? []
      : [
          complaint(
            'adds a pet twice',
            `${countText(calls.length, 'call')} of createPet added ${added.length} pets: ${added.join(', ')}.`,
            'Check whether the pet was added before you send a POST again.',
          ),
        ]),
    ...(wrongError === undefined
      ? []
      : [
          complaint(
            'reports another error',
            `${name} reported ${wrongError}; the service sent: ${ended}.`,
            'Derive the error from the status and the code of the last response.',
          ),
        ]),
  ]
}

function complaint(what: string, text: string, advice: string): Complaint {
  return { grade: 'fix', what, text: cut(text, maxText), advice, source: 'spec 4, 7' }
}

/** Returns whether ids are those of one list, or of several that follow each other. */
function isOneOf(ids: readonly string[], lists: readonly (readonly string[])[]): boolean {
  const text = ids.join()
  return lists.some((_, first) =>
    lists.some(
      (_, last) =>
        lists
          .slice(first, last + 1)
          .flat()
          .join() === text,
    ),
  )
}

function statusOf({ outcome }: RequestView): number {
  return outcome.kind === 'response' ? outcome.status : Number.NaN
}

function hasStatus(...statuses: readonly number[]) {
  return (request: RequestView): boolean => statuses.includes(statusOf(request))
}

function bodyOf({ outcome }: RequestView): string {
  return outcome.kind === 'response' ? outcome.body : ''
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the ids in a body, with every digit. */
function idsIn(request: RequestView): readonly string[] {
  return [...bodyOf(request).matchAll(/"id"\s*:\s*(-?\d+)/g)].flatMap(([, id]) => id ?? [])
}

function endOf({ outcome, delivery }: RequestView): string {
  if (delivery === 'aborted') return 'no response in time'
  return outcome.kind === 'response' ? String(outcome.status) : 'no response'
}
