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

/** A log of exchanges. */
export interface Log {
  add(exchange: Exchange): void
  /** Writes what was kept back for the next turn. */
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
  const write = format === 'json' ? jsonLine : prettyLine
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
      const { request, sandbox = defaultSandbox } = exchange
      const url = sandbox.hideKeys(request.url)
      lines.push(`${write({ ...exchange, request: { ...request, url } }, stdout)}\n`)
      if (lines.length === 1) setImmediate(flush)
    },
    flush,
  }
}

function skippedLine(format: LogFormat, skipped: number): string {
  if (format === 'json') return `${JSON.stringify({ skipped })}\n`
  return `${skipped} requests are left out here: nobody has read this log in time\n`
}

/** The reply of an exchange; for a broken connection one with status 0. */
function replyOf({ outcome }: Exchange): Omit<Reply, 'kind'> {
  return 'status' in outcome ? outcome : { status: 0, headers: {}, body: '' }
}

function jsonLine(exchange: Exchange): string {
  const { request, at, durationMs } = exchange
  const { status, headers } = replyOf(exchange)
  const remaining = headers['x-ratelimit-remaining']
  return JSON.stringify({
    time: formatInstant(at),
    method: request.method,
    url: safeUrl(request),
    key: shownKey(request),
    status,
    ...(remaining === undefined ? {} : { remaining: Number(remaining) }),
    durationMs: Number(durationMs.toFixed(3)),
    error: errorOf(exchange),
  })
}

function prettyLine(exchange: Exchange, stream: NodeJS.WriteStream): string {
  const { request, at, durationMs } = exchange
  const { status, headers } = replyOf(exchange)
  const color = status > 0 && status < 300 ? 'green' : status < 500 ? 'yellow' : 'red'
  const paint = (style: 'green' | 'yellow' | 'red' | 'dim', text: string): string =>
    styleText(style, text, { stream })
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': limit } = headers
  const quota = remaining === undefined ? 'no reply' : `${remaining}/${limit} left`
  const error = errorOf(exchange)
  return [
    paint('dim', new Date(at).toISOString().slice(11, 23)),
    paint(color, String(status).padStart(3)),
    // Neither is known of a request that could not be read.
    (request.method || '-').padEnd(4),
    printable(safeUrl(request) || '-'),
    paint('dim', `${shownKey(request) ?? 'no key'}  ${quota}  ${durationMs.toFixed(1)} ms`),
    ...(error === undefined ? [] : [paint(color, printable(error))]),
  ].join('  ')
}

/** The message of an Error body; none in a body that a fault has spoilt. */
function errorOf(exchange: Exchange): string | undefined {
  const { status, body } = replyOf(exchange)
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(status >= 400 ? body : '') ?? []
  return message === undefined
    ? undefined
    : withoutKey(String(JSON.parse(message)), exchange.request)
}

type Request = Exchange['request']

/** The key that a request sends, or what it sends in its place. */
function tokenOf({ headers }: Request): string | undefined {
  return headers.authorization?.split(' ').at(-1)
}

function shownKey(request: Request): string | undefined {
  const token = tokenOf(request)
  return token === undefined ? undefined : printable(redactKey(token))
}

function withoutKey(text: string, request: Request): string {
  const token = tokenOf(request) ?? ''
  return token.length < 4 ? text : text.replaceAll(token, redactKey(token))
}

const knownQuery: readonly string[] = Object.values(endpoints).flatMap(({ query }) =>
  query.map(({ name }) => name),
)

/** A request's URL for a log: no values of unknown parameters, which may be secrets, and no key. */
function safeUrl(request: Request): string {
  const [path = '', query] = request.url.split(/\?(.*)/s)
  const parts = query?.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s)
    return value === undefined || knownQuery.includes(name) ? part : `${name}=…`
  })
  const text = withoutKey(parts === undefined ? path : `${path}?${parts.join('&')}`, request)
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
