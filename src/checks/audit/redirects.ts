import { operationText, type RequestFacts } from './facts.ts'
import { isFollowing, isInLine } from './request-relations.ts'
import type { Found, Rule, RuleState } from './rule.ts'

/** The rules on following redirects. */
export const redirectRules = {
  'redirect-lost-authorization': {
    severity: 'error',
    source: 'spec 5.2; RFC 9110, 15.4',
    summary: 'After a redirect, the request was sent again without its API key.',
    advice:
      'Send Authorization again after a redirect within the same host, or use the path that needs no redirect.',
    oncePerClient: true,
    createState: () => (next) => {
      const { authorization } = next.logged.request.headers
      if (next.code !== 'unauthorized' || authorization !== undefined) return undefined
      const { all } = next.client
      const redirect = all.redirects.findLast((one) => leadsTo(one, next))
      if (redirect === undefined) return undefined
      const { connection } = redirect.logged
      const isSure =
        connection === undefined ? all.latest === redirect : connection === next.logged.connection
      return {
        message: `Sent ${operationText(next.logged)} without the key of the request that ${redirect.status} had redirected there.`,
        requests: [redirect, next],
        ...(isSure ? {} : { caveat: 'another client may have sent the request without a key' }),
      }
    },
  },
  'redirect-changed-method': {
    severity: 'warning',
    source: 'spec 4.2; RFC 9110, 15.4.2',
    summary:
      'After a redirect, a POST was sent as a GET: the pet was not created. Found once, it is information.',
    advice:
      'Use the path that needs no redirect, or follow it with a POST; most HTTP clients turn a POST into a GET after 301.',
    createState: watchChangedMethod,
  },
} as const satisfies Record<string, Rule>

/** Watches for lists that are requested where a POST was redirected to; one alone may be meant. */
function watchChangedMethod(): RuleState {
  let first: readonly RequestFacts[] | undefined
  return (next): Found | undefined => {
    const { latest: former } = next.client
    if (
      former?.code !== 'moved' ||
      former.logged.request.method !== 'POST' ||
      next.logged.request.method !== 'GET'
    )
      return undefined
    if (!leadsTo(former, next) || !(isFollowing(former, next) || isInLine(former, next)))
      return undefined
    const before = first
    first ??= [former, next]
    return {
      message: `Sent ${operationText(next.logged)} after ${former.status} had redirected ${operationText(former.logged)} there.`,
      requests: [...(before ?? []), former, next],
      ...(before === undefined ? { severity: 'info' } : {}),
    }
  }
}

/** Whether a request is sent where an earlier one was redirected to: the same path without its trailing slash. */
function leadsTo({ url, logged: { endOrder } }: RequestFacts, next: RequestFacts): boolean {
  const isLater = endOrder !== undefined && endOrder < next.logged.startOrder
  return isLater && url.replace(/\/(?=\?|$)/, '') === next.url
}
