import type { ApiRequest } from '../../mock/api/message.ts'
import { redactKey } from '../../mock/log/redactor.ts'
import type { Found, Rule, SandboxFacts } from './rule.ts'

/** Rules about where keys are sent. */
export const keyRules = {
  'key-in-url': {
    severity: 'error',
    source: 'spec 5.2; RFC 6750, 5.3; RFC 9110, 17.9',
    summary: 'An API key was sent in a URL.',
    advice:
      'Send the key only in the header Authorization: Bearer <API_KEY>; URLs end up in logs, histories and Referer headers.',
    oncePerClient: true,
    createState: () => (next, sandbox) => {
      const found = findKey(next.logged.request.url, sandbox)
      if (found === undefined) return undefined
      return { message: `Sent the API key ${found} in the URL.`, requests: [next] }
    },
  },
  'key-outside-authorization': {
    severity: 'error',
    source: 'spec 5.2; RFC 6750, 2.1',
    summary:
      'An API key was sent in the body or in another header; a warning if in Authorization without the scheme Bearer.',
    advice: 'Send the key in the header Authorization: Bearer <API_KEY>, and nowhere else.',
    oncePerClient: true,
    createState: () => (next, sandbox) => {
      const { request } = next.logged
      const found = keyOutside(request, sandbox) ?? keyWithoutScheme(request, sandbox)
      return found === undefined ? undefined : { ...found, requests: [next] }
    },
  },
} as const satisfies Record<string, Rule>

type Place = Pick<Found, 'message' | 'severity'>

function keyOutside({ headers, body }: ApiRequest, sandbox: SandboxFacts): Place | undefined {
  for (const [name, value] of Object.entries(headers)) {
    // `keyWithoutScheme()` checks `authorization`.
    const found = name === 'authorization' ? undefined : findKey(value, sandbox)
    if (found !== undefined) return { message: `Sent the API key ${found} in the header ${name}.` }
  }
  const found = findKey(body, sandbox)
  return found === undefined ? undefined : { message: `Sent the API key ${found} in the body.` }
}

function keyWithoutScheme({ headers }: ApiRequest, sandbox: SandboxFacts): Place | undefined {
  const { authorization } = headers
  if (authorization === undefined || /^bearer /i.test(authorization)) return undefined
  const found = findKey(authorization, sandbox)
  if (found === undefined) return undefined
  return {
    message: `Sent the API key ${found} in Authorization without the scheme Bearer.`,
    severity: 'warning',
  }
}

/** Words long enough to be a key; shorter ones may be any word. */
const words = /[A-Za-z0-9_.~-]{6,}/g

/** Whole runs of the characters that keys consist of. */
const runs = /[A-Za-z0-9\-._~+/]{6,}=*/g

/** Maximum length of text to search, in characters: the log keeps as much of a body, and so shows what was found. */
const maxRead = 65_536

/** Finds a key that is a whole word in a text, percent-encoded or not; returns it abbreviated. */
function findKey(whole: string, { limitsOf }: SandboxFacts): string | undefined {
  const text = decoded(whole.slice(0, maxRead))
  for (const pattern of [words, runs]) {
    for (const word of text.match(pattern) ?? []) {
      // A word of letters alone may be ordinary text.
      if (/[^A-Za-z]/.test(word) && limitsOf(word) !== undefined) return redactKey(word)
    }
  }
  return undefined
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
