interface Host {
  readonly setImmediate?: (task: () => void) => unknown
  readonly MessageChannel?: typeof MessageChannel
  readonly setTimeout: (task: () => void, ms: number) => unknown
}

function hostOf(found: Host = globalThis): Host {
  return found
}

/** Those of the host, taken before a test replaces them with fake ones; pages have no `setImmediate`. */
const { setImmediate: startNext, MessageChannel: Channel, setTimeout: startTimer } = hostOf()

/**
 * Lets the host do whatever else there is to do. In Node a timer would not: one that is due by the end of a slice runs
 * before any socket is read.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (startNext !== undefined) startNext(resolve)
    else if (Channel === undefined) startTimer(resolve, 0)
    else {
      const { port1, port2 } = new Channel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    }
  })
}
