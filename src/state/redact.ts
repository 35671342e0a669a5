/** Shows only the beginning of a key, for logs and messages. */
export function redactKey(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** Abbreviates the keys of a sandbox in a text, and the token that was sent, whosever it is. */
export type HideKeys = (text: string, token?: string) => string

const schemes = /^(?:basic|bearer|digest)$/i

/** Abbreviates all but the scheme of an `Authorization`, well formed or not. */
export function hideCredentials(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}
