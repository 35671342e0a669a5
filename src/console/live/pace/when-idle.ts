/** The longest that something waits for the page to be idle. */
const patienceMs = 300

/** Does something as soon as the page has nothing else to do; gives what calls it off. */
export function whenIdle(act: () => void): () => void {
  // Safari doesn't tell.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(act)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: patienceMs })
  return () => cancelIdleCallback(handle)
}
