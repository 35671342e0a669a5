import type { GapChoices } from '../contract/gaps.ts'
import { type ApiRequest, type Headers, type Reply, utf8Length } from '../contract/message.ts'
import type { Decision } from './decide.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Report } from './rate-limit.ts'
import type { Route } from './router.ts'

/** Makes the reply of a decision, with the headers that every reply has (spec 1, 8). */
export function replyOf(
  { method }: ApiRequest,
  route: Route,
  { status, body, headers: own }: Decision,
  { limit, remaining, resetAt }: Report,
  gaps: GapChoices,
  date: string,
): Reply {
  // An object that began with a spread would take each request three times as long (Node 20).
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    date,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    ...own,
    ...('operation' in route ? deprecationHeaders(route.operation, status, gaps) : noHeaders),
  }
  if (body === undefined) delete headers['content-type']
  if (method !== 'HEAD') return { kind: 'reply', status, headers, body: body ?? '' }
  // No adapter can know the length of a body that isn't sent.
  if (body !== undefined) headers['content-length'] = String(utf8Length(body))
  return { kind: 'reply', status, headers, body: '' }
}

const noHeaders: Headers = {}
