/** Shows only the beginning of a key, for logs and messages. */
export function redactKey(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** Abbreviates the keys of a sandbox in a text, and the token that was sent, whosever it is. */
export type HideKeys = (text: string, token?: string) => string
