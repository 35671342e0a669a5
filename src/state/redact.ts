/** Shows a key's beginning only, for logs and messages. */
export function redactKey(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** Shorter keys stand in too many words to be looked for outside of `Authorization`. */
const leastSecret = 4

/** Shows only the beginning of the keys that stand in a text, percent-encoded ones too. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return hideInTurn(text, longestFirst(secrets))
}

/** One key may be a part of another. */
export function longestFirst(secrets: readonly string[]): readonly string[] {
  return secrets
    .filter((secret) => secret.length >= leastSecret)
    .sort((one, other) => other.length - one.length)
}

export function hideInTurn(text: string, secrets: readonly string[]): string {
  const isEncoded = text.includes('%')
  return secrets.reduce(
    (hidden, secret) =>
      hidden.replaceAll(isEncoded ? encodedPattern(secret) : secret, redactKey(secret)),
    text,
  )
}

/** Finds a key of which any character may be percent-encoded. */
function encodedPattern(key: string): RegExp {
  const characters = [...key].map((character) => {
    const code = character.charCodeAt(0).toString(16)
    const anyCase = code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:${character.replace(/[^A-Za-z0-9]/, '\\$&')}|%${anyCase})`
  })
  return new RegExp(characters.join(''), 'g')
}

const schemes = /^(?:basic|bearer|digest)$/i

/** Shows of an `Authorization`, well formed or not, the schemes and the beginning of all else. */
export function hideCredentials(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}
