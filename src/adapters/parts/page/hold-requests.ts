/**
 * Holds every `fetch` and asynchronous `XMLHttpRequest` of the page until the returned function is called. That
 * function sends them, or fails them with an error as if there were no network, so that none reaches a real server.
 */
export function holdRequests(): (error?: TypeError) => void {
  const { fetch } = globalThis
  const { send } = XMLHttpRequest.prototype
  const held: ((error?: TypeError) => void)[] = []
  let isHolding = true

  const heldFetch: typeof fetch = (input, init) => {
    if (!isHolding) return fetch(input, init)
    return new Promise((resolve, reject) => {
      held.push((error) => (error ? reject(error) : resolve(globalThis.fetch(input, init))))
    })
  }

  function heldSend(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | Document | null): void {
    if (isHolding) {
      held.push((error) => {
        if (error) this.dispatchEvent(new ProgressEvent('error'))
        else send.call(this, body)
      })
    } else send.call(this, body)
  }

  globalThis.fetch = heldFetch
  XMLHttpRequest.prototype.send = heldSend
  return (error) => {
    isHolding = false
    // Wrappers added around them meanwhile stay, and call through to them.
    if (globalThis.fetch === heldFetch) globalThis.fetch = fetch
    if (XMLHttpRequest.prototype.send === heldSend) XMLHttpRequest.prototype.send = send
    // Separate microtasks, so that a request that can't be sent doesn't block others.
    for (const settle of held) queueMicrotask(() => settle(error))
  }
}
