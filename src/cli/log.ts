import { styleText } from 'node:util'
import { endpoints } from '../contract/endpoints.ts'
import { formatInstant } from '../contract/instant.ts'
import type { Reply } from '../contract/message.ts'
import type { Exchange } from '../server/start-server.ts'
import { redactKey } from '../state/keys.ts'

export const logFormats = ['pretty', 'json', 'silent'] as const

export type LogFormat = (typeof logFormats)[number]

/** Writes a line for each exchange, many at a time; a reader that goes away ends the log, not the process. */
export function createLog(format: Exclude<LogFormat, 'silent'>, stdout: NodeJS.WriteStream) {
  const write = format === 'json' ? jsonLine : prettyLine
  let lines: string[] = []
  let isOpen = true
  stdout.on('error', () => {
    isOpen = false
  })
  const flush = (): void => {
    if (isOpen && lines.length > 0) stdout.write(lines.join(''))
    lines = []
  }
  return {
    add(exchange: Exchange): void {
      if (!isOpen) return
      lines.push(`${write(exchange, stdout)}\n`)
      if (lines.length === 1) setImmediate(flush)
    },
    flush,
  }
}

/** The reply of an exchange; for a broken connection one with status 0. */
function replyOf({ outcome }: Exchange): Omit<Reply, 'kind'> {
  return 'status' in outcome ? outcome : { status: 0, headers: {}, body: '' }
}

function jsonLine(exchange: Exchange): string {
  const { request, at, durationMs } = exchange
  const { status, headers, body } = replyOf(exchange)
  return JSON.stringify({
    time: formatInstant(at),
    method: request.method,
    url: safeUrl(request.url, tokenOf(request)),
    key: shownKey(request),
    status,
    remaining: Number(headers['x-ratelimit-remaining']),
    durationMs: Number(durationMs.toFixed(3)),
    ...(status >= 400 ? { error: errorOf(body) } : {}),
  })
}

function prettyLine(exchange: Exchange, stream: NodeJS.WriteStream): string {
  const { request, at, durationMs } = exchange
  const { status, headers, body } = replyOf(exchange)
  const color = status < 300 ? 'green' : status < 500 ? 'yellow' : 'red'
  const paint = (style: 'green' | 'yellow' | 'red' | 'dim', text: string): string =>
    styleText(style, text, { stream })
  const quota = `${headers['x-ratelimit-remaining']}/${headers['x-ratelimit-limit']} left`
  return [
    paint('dim', new Date(at).toISOString().slice(11, 23)),
    paint(color, String(status)),
    request.method.padEnd(4),
    safeUrl(request.url, tokenOf(request)),
    paint('dim', `${shownKey(request) ?? 'no key'}  ${quota}  ${durationMs.toFixed(1)} ms`),
    ...(status >= 400 ? [paint(color, String(errorOf(body)))] : []),
  ].join('  ')
}

function errorOf(body: string): unknown {
  return body === '' ? undefined : (JSON.parse(body) as { readonly message: unknown }).message
}

function tokenOf({ headers }: Exchange['request']): string | undefined {
  const text = headers.authorization
  return text === undefined ? undefined : text.slice(text.lastIndexOf(' ') + 1)
}

function shownKey(request: Exchange['request']): string | undefined {
  const token = tokenOf(request)
  return token === undefined ? undefined : redactKey(token)
}

const knownQuery: readonly string[] = Object.values(endpoints).flatMap(({ query }) =>
  query.map(({ name }) => name),
)

/** A request's URL for a log: no values of unknown parameters, which may be secrets, no key, no control characters. */
function safeUrl(url: string, token: string | undefined): string {
  const [path = '', query] = url.split(/\?(.*)/s)
  const parts = query?.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s)
    return value === undefined || knownQuery.includes(name) ? part : `${name}=…`
  })
  const text = parts === undefined ? path : `${path}?${parts.join('&')}`
  const hidden =
    token === undefined || token.length < 4 ? text : text.replaceAll(token, redactKey(token))
  const printable = JSON.stringify(hidden).slice(1, -1)
  return printable.length > 300 ? `${printable.slice(0, 299)}…` : printable
}
