import { redactKey } from '../redact.ts'

const schemes = /^(?:basic|bearer|digest)$/i

/** Abbreviates all but the scheme of an `Authorization`, well formed or not. */
export function hideCredentials(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}
