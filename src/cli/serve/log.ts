import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { cut, printable, printableJson } from '../../checks/reports/text.ts'
import { endpoints } from '../../mock/api/endpoints.ts'
import type { ApiResponse } from '../../mock/api/message.ts'
import { formatInstant } from '../../mock/input/values.ts'
import { redactKey } from '../../mock/log/redactor.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ServedRequest } from '../../server/server-options.ts'
import type { RunningServer } from '../../server/start-server.ts'

/** Maximum number of bytes that wait for the reader; a reader that hangs must not exhaust memory. */
const maxWaitingBytes = 1_048_576

/** Maximum number of characters of a URL in the log. */
const longestUrl = 300

/** Time for which lines are gathered, since writing costs more than all work before it; too short to be noticed. */
const gatherMs = 20

/** Log of requests. */
export interface Log {
  add(served: ServedRequest): void
  /** Writes what is buffered. */
  flush(): void
}

/** Sandboxes whose keys a log must not show in full. */
type LogSecrets = Pick<RunningServer, 'sandbox' | 'pool'>

type LogFormat = 'pretty' | 'json'

/**
 * Creates a log with a line for each request, in batches and with abbreviated keys. If its reader leaves, the log ends
 * but the server continues.
 */
export function createLog(format: LogFormat, stdout: Writable, secrets: LogSecrets): Log {
  const write = format === 'json' ? jsonLine : prettyLines(stdout)
  let lines: string[] = []
  let skipped = 0
  let isOpen = true
  stdout.on('error', () => {
    isOpen = false
  })
  const flush = (): void => {
    if (stdout.writableLength > maxWaitingBytes) skipped += lines.length
    else if (isOpen && lines.length > 0) {
      if (skipped > 0) lines.unshift(skippedLine(format, skipped))
      stdout.write(lines.join(''))
      skipped = 0
    }
    lines = []
  }
  return {
    add(served: ServedRequest): void {
      if (!isOpen) return
      lines.push(`${write(factsOf(served, secrets))}\n`)
      if (lines.length === 1) setTimeout(flush, gatherMs)
    },
    flush,
  }
}

function skippedLine(format: LogFormat, skipped: number): string {
  if (format === 'json') return `${JSON.stringify({ skipped })}\n`
  return `${skipped} requests are missing here: the log was not read in time\n`
}

/** Returns the facts of a line, with abbreviated keys. */
function factsOf(served: ServedRequest, secrets: LogSecrets) {
  const { request, outcome, at, durationMs } = served
  const { status, headers, body } = 'status' in outcome ? outcome : broken
  const token = tokenOf(request)
  const hide = (text: string): string => hidden(text, token, served.sandbox, secrets)
  const error = status >= 400 ? messageOf(body) : undefined
  return {
    at,
    method: request.method,
    url: cut(safeUrl(hide(request.url)), longestUrl),
    /** `undefined` if none was sent. */
    key: token === undefined ? undefined : printable(redactKey(token)),
    status,
    remaining: headers['x-ratelimit-remaining'],
    limit: headers['x-ratelimit-limit'],
    durationMs,
    error: error && hide(error),
  }
}

/** Hides the request's token and the keys of the default and the responding sandbox, or of all if none responded. */
function hidden(
  text: string,
  token: string | undefined,
  sandbox: Sandbox | undefined,
  { sandbox: defaultSandbox, pool }: LogSecrets,
): string {
  if (sandbox === defaultSandbox) return defaultSandbox.hideKeys(text, token)
  const named =
    sandbox === undefined ? pool.names().map((name) => pool.getOrCreate(name)) : [sandbox]
  return [...new Set([defaultSandbox, ...named])].reduce((so, one) => one.hideKeys(so, token), text)
}

type Facts = ReturnType<typeof factsOf>

/** Response of a broken connection, with status 0. */
const broken: Omit<ApiResponse, 'kind'> = { status: 0, headers: {}, body: '' }

function jsonLine({ at, method, url, key, status, remaining, durationMs, error }: Facts): string {
  const line = JSON.stringify({
    time: formatInstant(at),
    method,
    url,
    key,
    status,
    ...(remaining === undefined ? {} : { remaining: Number(remaining) }),
    durationMs: Number(durationMs.toFixed(3)),
    error,
  })
  return printableJson(line)
}

/** Creates a formatter of lines for people, in colours if the stream supports them. */
function prettyLines(stream: Writable): (facts: Facts) => string {
  // Checked once: looking at the environment for each piece takes as long as writing the line.
  const hasColors = styleText('dim', '-', { stream }) !== '-'
  const paint = (style: 'green' | 'yellow' | 'red' | 'dim', text: string): string =>
    hasColors ? styleText(style, text, { validateStream: false }) : text
  const timeOfDay = dayTimes()
  let isHinted = false
  return ({ at, method, url, key, status, remaining, limit, durationMs, error }) => {
    const style = status > 0 && status < 300 ? 'green' : status < 500 ? 'yellow' : 'red'
    const quota = remaining === undefined ? 'no response' : `${remaining}/${limit} left`
    // An unreadable request has neither.
    const what = `${(method || '-').padEnd(4)}  ${printable(url || '-')}`
    const facts = paint('dim', `${key ?? 'no key'}  ${quota}  ${durationMs.toFixed(1)} ms`)
    const time = paint('dim', timeOfDay(at))
    const line = `${time}  ${paint(style, String(status).padStart(3))}  ${what}  ${facts}`
    const whole = error === undefined ? line : `${line}  ${paint(style, printable(error))}`
    if (status !== 429 || isHinted) return whole
    // Developers who hit a 429 for the first time tend to blame the sandbox.
    isHinted = true
    const hint =
      '  Limits are enforced as by the real service; to count requests without rejecting any, start with --rate-limits report-only'
    return `${whole}\n${paint('dim', hint)}`
  }
}

/** Creates a formatter of times of day in UTC, such as `09:05:00.250`; lines mostly share their second. */
function dayTimes(): (at: number) => string {
  let second = Number.NaN
  let text = ''
  return (at) => {
    const whole = Math.floor(at / 1000)
    if (whole !== second) {
      second = whole
      text = new Date(at).toISOString().slice(11, 20)
    }
    return text + String(at % 1000).padStart(3, '0')
  }
}

/** Returns the message of an Error body, unless a fault has corrupted it. */
function messageOf(body: string): string | undefined {
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(body) ?? []
  return message === undefined ? undefined : String(JSON.parse(message))
}

/** Returns the key that a request sends, or whatever it sends instead. */
function tokenOf({ headers: { authorization } }: ServedRequest['request']): string | undefined {
  return authorization?.slice(authorization.lastIndexOf(' ') + 1)
}

const knownQuery: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap(({ query }) => query),
)

/** Returns a URL without the values of unknown parameters, which may be secret. */
function safeUrl(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  return url.slice(0, start) + url.slice(start).replaceAll(/[^&]+/g, safeParameter)
}

function safeParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  const name = parameter.slice(0, end)
  return end < 0 || knownQuery.has(name) ? parameter : `${name}=…`
}
