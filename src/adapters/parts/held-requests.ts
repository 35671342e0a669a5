/** The page's requests that wait for the worker. */
export interface HeldRequests {
  /** Sends them. */
  release(): void
  /** Fails them as if there were no network, so that none reaches a real server. */
  refuse(reason: unknown): void
}

/** A request that waits. */
interface HeldRequest {
  readonly send: () => void
  readonly fail: (error: TypeError) => void
}

/** Holds every `fetch` and asynchronous `XMLHttpRequest` of the page from now on, until released or refused. */
export function holdRequests(): HeldRequests {
  const { fetch } = globalThis
  const { send } = XMLHttpRequest.prototype
  const held: HeldRequest[] = []
  let isHolding = true

  const heldFetch: typeof fetch = (input, init) => {
    if (!isHolding) return fetch(input, init)
    return new Promise((resolve, reject) => {
      held.push({ send: () => resolve(globalThis.fetch(input, init)), fail: reject })
    })
  }

  function heldSend(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null): void {
    if (!isHolding) {
      send.call(this, body)
      return
    }
    held.push({
      send: () => send.call(this, body),
      fail: () => this.dispatchEvent(new ProgressEvent('error')),
    })
  }

  function stopHolding(): void {
    isHolding = false
    // Wrappers put around them meanwhile stay, and call through to them.
    if (globalThis.fetch === heldFetch) globalThis.fetch = fetch
    if (XMLHttpRequest.prototype.send === heldSend) XMLHttpRequest.prototype.send = send
  }

  globalThis.fetch = heldFetch
  XMLHttpRequest.prototype.send = heldSend
  return {
    release() {
      stopHolding()
      // Apart from each other: one that can't be sent holds up no other.
      for (const { send } of held) queueMicrotask(send)
    },
    refuse(reason) {
      stopHolding()
      const error = new TypeError('Failed to fetch: the worker did not start', { cause: reason })
      for (const { fail } of held) fail(error)
    },
  }
}
