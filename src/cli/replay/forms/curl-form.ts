import { Remote, type RemoteRequest } from '../../../client/remote.ts'
import { callsTo } from '../../../client/sandbox-client.ts'
import { toJson } from '../../../contract/json/json.ts'
import type { Headers } from '../../../contract/message.ts'
import type { ReadCapture } from '../../../control/reports/capture-file.ts'
import { newSandbox } from '../../../control/sandboxes.ts'
import { callControl } from '../../../explore/call-control.ts'
import { formatInstant } from '../../../input/instant.ts'
import { sandboxLimits } from '../../../state/limits.ts'
import { defaultUrl } from '../../remote/remote-options.ts'
import { limitsIn } from '../../usage/settings.ts'

type Step = ReadCapture['steps'][number]

type RequestStep = Extract<Step, { do: 'request' }>

type ControlStep = Extract<Step, { do: 'control' }>

/** Writes a capture as a script of bash that makes a sandbox of a running process, and sends it every request. */
export function curlForm(capture: ReadCapture): string {
  let at: number | undefined
  const lines = capture.steps.flatMap((step) => {
    const moves = step.at === at ? [] : [clockLine(step.at)]
    at = step.at
    if (step.do === 'request') return [...moves, ...requestLines(step)]
    return [...moves, ...controlLines(step)]
  })
  return [...headLines(capture), ...lines].join('\n')
}

function headLines({ begin }: ReadCapture): string[] {
  const { seed, limits, ...rest } = begin
  const made = newSandbox.write({
    ...rest,
    name: undefined,
    seed: { pets: seed?.pets ?? [], keys: seed?.keys ?? [] },
    limits: limits === undefined ? undefined : sandboxLimits.read(limitsIn(sandboxLimits, limits)),
  })
  return [
    '#!/bin/bash',
    '# Sends what was captured to a sandbox of its own, of a running process: petstore-sandbox serve',
    `server=\${PETSTORE_SANDBOX_URL:-${defaultUrl}}`,
    'name=replay-$$',
    'sandbox=$server/sandboxes/$name',
    'control() {',
    '  curl -sSf -o /dev/null --data-binary @- -H "content-type: application/json" \\',
    // Only where there is one.
    `    \${PETSTORE_SANDBOX_CONTROL_TOKEN:+-H "authorization: Bearer $PETSTORE_SANDBOX_CONTROL_TOKEN"} "$@"`,
    '}',
    `control -X POST "$server/_sandbox/sandboxes" <<JSON || exit 1`,
    `{"name":"$name",${heredocText(toJson(made).slice(1))}`,
    'JSON',
    '',
  ]
}

/** Escapes what the shell would replace. */
function heredocText(text: string): string {
  return text.replace(/[\\$`]/g, '\\$&')
}

function clockLine(at: number): string {
  return controlLine({
    method: 'PATCH',
    path: '/clock',
    body: { set: formatInstant(at), mode: 'frozen' },
  })
}

function controlLine({ method, path, body }: RemoteRequest): string {
  const place = `"$sandbox/_sandbox"${quoted(path)}`
  const sent = body === undefined ? '< /dev/null' : `<<< ${quoted(toJson(body))}`
  return `control -X ${method} ${place} ${sent}`
}

/** Notes what would be sent to a process. */
class SentControls extends Remote {
  readonly sent: RemoteRequest[] = []

  override async call(request: RemoteRequest): Promise<unknown> {
    this.sent.push(request)
    return undefined
  }
}

function controlLines({ name, given }: ControlStep): string[] {
  if (name.startsWith('clock.')) return []
  const remote = new SentControls('', undefined)
  const { keys, ...calls } = callsTo(remote)
  const setRemaining = (key: string, remaining: object): unknown => keys.change(key, { remaining })
  const answer = callControl({ ...calls, keys: { ...keys, setRemaining } }, name, given)
  // What no address can have, no sandbox took.
  Promise.resolve(answer).catch(() => {})
  return remote.sent.map(controlLine)
}

function requestLines({ number, request, outcome }: RequestStep): string[] {
  const { method, url, headers, body, bodyBytes, unreadable } = request
  const comment = `# ${number}: ${outcome.status ?? outcome.kind}`
  if (bodyBytes !== undefined || unreadable !== undefined || body.includes('\0')) {
    return [`${comment}, which curl can't ask for: the capture has no such body`]
  }
  const words = [
    `curl -sS -g --path-as-is -w '\\n' -m ${outcome.kind === 'timeout' ? 1 : 10}`,
    method === 'HEAD' ? '--head' : `-i -X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`,
    `"$sandbox"${quoted(url.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent))}`,
    ...headerWords(headers, body),
    // curl can't send a body with HEAD, and none changes the answer.
    ...(body === '' || method === 'HEAD' ? [] : [`--data-binary ${quoted(body)}`]),
    comment,
  ]
  return [words.join(' ')]
}

function headerWords(headers: Headers, body: string): string[] {
  // With a body, curl sends a type of its own unless it is told another, or none.
  const all = body === '' ? headers : { 'content-type': '', ...headers }
  return Object.entries(all).map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name}:` : `${name}: ${value}`)}`,
  )
}

/** In single quotes, for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
