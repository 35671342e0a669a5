/** How long after the first signal another counts as the same, since npm and a terminal both send one. */
const sameSignalMs = 2_000

/** Waits for a signal to stop; another one after two seconds ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (): void => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) {
        process.exit(1)
      }
    }
    // The last one is sent when a terminal is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  })
}
