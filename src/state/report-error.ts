/** Reports what a listener of the user's has thrown, as the host reports errors that nobody caught. */
export function reportError(error: unknown): void {
  if ('reportError' in globalThis) globalThis.reportError(error)
  // biome-ignore lint/suspicious/noConsole: hosts without reportError have no other place to say it
  else console.error(error)
}
