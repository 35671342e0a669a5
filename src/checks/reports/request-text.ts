import type { RequestView } from '../../mock/log/request-view.ts'
import {
  curlAddress,
  markdownBlock,
  markdownText,
  pathOf,
  quoted,
  requestText,
  shellQuoted,
} from './text.ts'

/** Headers that a client library sets itself. */
const ofTransport =
  /^(?:host|connection|content-length|accept-encoding|sec-|user-agent|origin$|referer$)/

/** A request to copy as code, and where the code sends it. */
export interface CopySource {
  readonly entry: RequestView
  /** Base URL, such as `http://127.0.0.1:7387/v1`. */
  readonly apiUrl: string
  /** Whole key, or the abbreviated one that the log shows. */
  readonly key: string
}

/** A request that is ready to send. */
export interface SentRequest {
  readonly method: string
  /** Path and query below `/v1`. */
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  /** Request body; may be empty. */
  readonly body: string
}

export function resent({ entry: { request, key: shown = '' }, key }: CopySource): SentRequest {
  const { method, headers, body } = request
  const path = pathOf(request).replace(/^\/v1(?=[/?]|$)/, '')
  const kept = Object.entries(headers).filter(([name]) => !ofTransport.test(name))
  return {
    method,
    path,
    headers: kept.map(([name, value]) =>
      name === 'authorization' ? [name, value.replace(shown, key)] : [name, value],
    ),
    body,
  }
}

/** Writes a logged request as a command for a POSIX shell. */
export function curlText(source: CopySource): string {
  return shellCommand(resent(source), source.apiUrl)
}

/** Writes a request as a command for a POSIX shell. */
export function shellCommand(
  { method, path, headers, ...given }: SentRequest,
  apiUrl: string,
): string {
  // curl can't send a body with HEAD, and a body doesn't change the response.
  const body = method === 'HEAD' ? '' : given.body
  // With a body, curl turns GET into POST and adds a content type of its own, unless both are set explicitly.
  const isPlainGet = method === 'GET' && body === ''
  const hasType = headers.some(([name]) => name === 'content-type')
  const sent = body === '' || hasType ? headers : [...headers, ['content-type', ''] as const]
  const parts = [
    method === 'HEAD'
      ? 'curl --head'
      : isPlainGet
        ? 'curl -i'
        : `curl -i -X ${shellQuoted(method)}`,
    curlAddress(apiUrl + path),
    ...sent.map(
      ([name, value]) => `-H ${shellQuoted(value === '' ? `${name}:` : `${name}: ${value}`)}`,
    ),
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Writes the request as a call of `fetch`. */
export function fetchText(source: CopySource): string {
  const sent = resent(source)
  return `await fetch(${quoted(source.apiUrl + sent.path)}, ${initText(sent, '')})`
}

/** Writes the request as Markdown, for a message or an issue. */
export function requestMarkdown(source: CopySource): string {
  const { request, why, at } = source.entry
  const body = 'body' in source.entry.outcome ? source.entry.outcome.body : ''
  return [
    `${markdownText(requestText(request))} at ${at}: ${markdownText(why)}`,
    markdownBlock(curlText(source), 'sh'),
    ...(body === '' ? [] : [markdownBlock(body, 'json')]),
    '',
  ].join('\n\n')
}

/** Returns control calls that recreate the situation of a request in a fresh sandbox. */
function situationOf({ entry: { decision, quota }, key }: CopySource): readonly string[] {
  const name = quoted(key)
  if (decision?.code === 'rate_limit_exceeded') {
    return [`  sandbox.keys.setRemaining(${name}, { ${quota.window}: 0 })`]
  }
  return decision?.code === 'key_banned' ? [`  sandbox.keys.ban(${name}, '5m')`] : []
}

/** Writes the request as a Vitest test that expects the same status. */
export function vitestText(source: CopySource): string {
  const sent = resent(source)
  const { outcome } = source.entry
  const call = `fetch(apiUrl + ${quoted(sent.path)}, ${initText(sent, '  ')})`
  const lines =
    'status' in outcome
      ? [`  const response = await ${call}`, `  expect(response.status).toBe(${outcome.status})`]
      : [`  await expect(${call}).rejects.toThrow()`]
  const setup = situationOf(source)
  const fixtures = setup.length === 0 ? '{ apiUrl }' : '{ apiUrl, sandbox }'
  const title = 'status' in outcome ? `gets ${outcome.status}` : 'gets no response'
  return [
    "import { test } from 'petstore-sandbox/vitest'",
    "import { expect } from 'vitest'",
    '',
    `test(${quoted(`${sent.method} ${sent.path} ${title}`)}, async (${fixtures}) => {`,
    ...setup,
    ...lines,
    '})',
    '',
  ].join('\n')
}

function initText({ method, headers, body }: SentRequest, indent: string): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)},`]),
    'headers: {',
    ...headers.map(([name, value]) => `  ${quoted(name)}: ${quoted(value)},`),
    '},',
    ...(body === '' ? [] : [`body: ${quoted(body)},`]),
  ]
  return `{\n${lines.map((line) => `${indent}  ${line}`).join('\n')}\n${indent}}`
}
