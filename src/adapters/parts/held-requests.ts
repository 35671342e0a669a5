/** Requests of the page that wait until the worker is ready. */
export interface HeldRequests {
  /** Sends them. */
  release(): void
  /** Lets them fail as without a network, so that none gets where it was not meant to go. */
  refuse(reason: unknown): void
}

/**
 * Holds every `fetch` and every asynchronous `XMLHttpRequest` of the page from now on, until they are released or
 * refused.
 */
export function holdRequests(): HeldRequests {
  const { fetch } = globalThis
  const { send } = XMLHttpRequest.prototype
  const { promise: ready, resolve, reject } = withResolvers()
  let isHolding = true

  const heldFetch: typeof fetch = (...args) =>
    isHolding ? ready.then(() => globalThis.fetch(...args)) : fetch(...args)

  function heldSend(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null): void {
    if (!isHolding) {
      send.call(this, body)
      return
    }
    ready.then(
      () => send.call(this, body),
      () => this.dispatchEvent(new ProgressEvent('error')),
    )
  }

  function stopHolding(): void {
    isHolding = false
    // What was put in front of them meanwhile stays, and calls through to them.
    if (globalThis.fetch === heldFetch) globalThis.fetch = fetch
    if (XMLHttpRequest.prototype.send === heldSend) XMLHttpRequest.prototype.send = send
  }

  globalThis.fetch = heldFetch
  XMLHttpRequest.prototype.send = heldSend
  return {
    release() {
      stopHolding()
      resolve()
    },
    refuse(reason) {
      stopHolding()
      reject(new TypeError('Failed to fetch: the worker did not start', { cause: reason }))
    },
  }
}

interface Resolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

function withResolvers(): Resolvers {
  let resolve: Resolvers['resolve'] = () => {}
  let reject: Resolvers['reject'] = () => {}
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  // Where nothing is held, nobody waits for it.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
