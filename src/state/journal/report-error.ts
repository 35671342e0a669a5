/** Reports what a user's listener has thrown, as the host reports uncaught errors. */
export function reportError(error: unknown): void {
  if (typeof globalThis.reportError === 'function') globalThis.reportError(error)
  // biome-ignore lint/suspicious/noConsole: hosts without reportError have no other place to say it
  else console.error(error)
}
