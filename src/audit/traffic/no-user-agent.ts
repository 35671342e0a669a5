import { OncePerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'

/** A client that doesn't say what it is. */
export const noUserAgent: Rule = {
  severity: 'info',
  clause: 'RFC 9110, 10.1.5',
  about: 'A request over HTTP had no User-Agent header.',
  advice:
    "Send the client's name and version in User-Agent, so that its requests can be told apart.",
  needsKnowledge: false,
  sees: ['over HTTP'],
  quotesNothing: true,
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { request: { headers } }) {
        const { door } = next.visit
        if (door !== 'process' && door !== 'express') return undefined
        if (headers['user-agent'] !== undefined || !once.isFirst(next)) return undefined
        return { verdict: 'Sent a request without the header User-Agent.', exchanges: [next] }
      },
    }
  },
}
