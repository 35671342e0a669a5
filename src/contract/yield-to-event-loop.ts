/**
 * Starts a task of its own as soon as the host has done whatever else there is to do, be timers faked or not. Pages have
 * no `setImmediate`; in Node a timer would not do: one that is due by the end of a slice runs before any socket is read.
 */
export const startTask: (task: () => void) => void =
  globalThis.setImmediate ?? globalThis.setTimeout

/** Lets the host do whatever else there is to do. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => startTask(resolve))
}
