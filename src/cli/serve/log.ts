import { styleText } from 'node:util'
import { endpoints } from '../../contract/endpoints.ts'
import type { Reply } from '../../contract/message.ts'
import { formatInstant } from '../../input/instant.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { Exchange } from '../../server/start-server.ts'
import { redactKey } from '../../state/redact.ts'
import { printable } from '../terminal/printable.ts'

export const logFormats = ['pretty', 'json', 'silent'] as const

export type LogFormat = (typeof logFormats)[number]

/** How much may wait to be read, in bytes; a reader that stands still must not fill the memory. */
const maxWaitingBytes = 1_048_576

/** How long lines are gathered, since to write one costs more than all that comes before: less than anyone sees. */
const gatherMs = 20

/** A log of exchanges. */
export interface Log {
  add(exchange: Exchange): void
  /** Writes what was gathered so far. */
  flush(): void
}

/**
 * Writes a line for each exchange, many at a time, and of keys only their beginnings; a reader that goes away ends
 * the log, not the process.
 *
 * @param defaultSandbox Whose keys are hidden in requests for a sandbox that there is not.
 */
export function createLog(
  format: Exclude<LogFormat, 'silent'>,
  stdout: NodeJS.WriteStream,
  defaultSandbox: Sandbox,
): Log {
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
    add(exchange: Exchange): void {
      if (!isOpen) return
      lines.push(`${write(factsOf(exchange, defaultSandbox))}\n`)
      if (lines.length === 1) setTimeout(flush, gatherMs)
    },
    flush,
  }
}

function skippedLine(format: LogFormat, skipped: number): string {
  if (format === 'json') return `${JSON.stringify({ skipped })}\n`
  return `${skipped} requests are left out here: nobody has read this log in time\n`
}

/** What a line says of an exchange: of keys only their beginnings. */
interface Facts {
  /** Unix milliseconds. */
  readonly at: number
  readonly method: string
  readonly url: string
  /** The key's beginning; `undefined` where none was sent. */
  readonly key: string | undefined
  /** 0 for a broken connection. */
  readonly status: number
  /** As the reply's headers say; `undefined` without one. */
  readonly remaining: string | undefined
  readonly limit: string | undefined
  readonly durationMs: number
  /** The message of an Error body. */
  readonly error: string | undefined
}

function factsOf(exchange: Exchange, defaultSandbox: Sandbox): Facts {
  const { request, outcome, sandbox = defaultSandbox, at, durationMs } = exchange
  const { status, headers, body } = 'status' in outcome ? outcome : broken
  const token = tokenOf(request)
  const error = status >= 400 ? messageOf(body) : undefined
  return {
    at,
    method: request.method,
    url: shortened(safeUrl(sandbox.hideKeys(request.url, token))),
    key: token === undefined ? undefined : printable(redactKey(token)),
    status,
    remaining: headers['x-ratelimit-remaining'],
    limit: headers['x-ratelimit-limit'],
    durationMs,
    error: error && sandbox.hideKeys(error, token),
  }
}

const broken: Omit<Reply, 'kind'> = { status: 0, headers: {}, body: '' }

function jsonLine({ at, method, url, key, status, remaining, durationMs, error }: Facts): string {
  return JSON.stringify({
    time: formatInstant(at),
    method,
    url,
    key,
    status,
    ...(remaining === undefined ? {} : { remaining: Number(remaining) }),
    durationMs: Number(durationMs.toFixed(3)),
    error,
  })
}

/** Makes what writes lines for people, in the colours that a stream can show. */
function prettyLines(stream: NodeJS.WriteStream): (facts: Facts) => string {
  const green = painter('green', stream)
  const yellow = painter('yellow', stream)
  const red = painter('red', stream)
  const dim = painter('dim', stream)
  const timeOf = timeReader()
  return ({ at, method, url, key, status, remaining, limit, durationMs, error }) => {
    const paint = status > 0 && status < 300 ? green : status < 500 ? yellow : red
    const quota = remaining === undefined ? 'no reply' : `${remaining}/${limit} left`
    // Neither is known of a request that could not be read.
    const what = `${(method || '-').padEnd(4)}  ${printable(url || '-')}`
    const facts = dim(`${key ?? 'no key'}  ${quota}  ${durationMs.toFixed(1)} ms`)
    const line = `${dim(timeOf(at))}  ${paint(String(status).padStart(3))}  ${what}  ${facts}`
    return error === undefined ? line : `${line}  ${paint(printable(error))}`
  }
}

/** Makes what paints texts; what the stream can show is asked once, since asking costs more than painting. */
function painter(style: Parameters<typeof styleText>[0], stream: NodeJS.WriteStream) {
  const [before = '', after = ''] = styleText(style, '|', { stream }).split('|')
  return (text: string): string => before + text + after
}

/** Makes what writes the time of day, to the millisecond, in UTC; many requests come in one. */
function timeReader(): (at: number) => string {
  let lastAt = Number.NaN
  let last = ''
  return (at) => {
    if (at !== lastAt) last = new Date(at).toISOString().slice(11, 23)
    lastAt = at
    return last
  }
}

/** The message of an Error body; none in a body that a fault has spoilt. */
function messageOf(body: string): string | undefined {
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(body) ?? []
  return message === undefined ? undefined : String(JSON.parse(message))
}

/** The key that a request sends, or what it sends in its place. */
function tokenOf({ headers: { authorization } }: Exchange['request']): string | undefined {
  return authorization?.slice(authorization.lastIndexOf(' ') + 1)
}

const knownQuery: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap(({ query }) => query.map(({ name }) => name)),
)

/** A request's URL without the values of unknown parameters, which may be secrets. */
function safeUrl(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const parts = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark)}?${parts.map(safeParameter).join('&')}`
}

function safeParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  const name = parameter.slice(0, end)
  return end < 0 || knownQuery.has(name) ? parameter : `${name}=…`
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
