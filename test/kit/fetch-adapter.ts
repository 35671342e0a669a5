import type { Send } from './polite-client.ts'

/** Sends by a function such as `fetch`; here, since it works in pages too. */
export function sendByFetch(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  origin = 'https://api.petstore.test',
): Send {
  return async ({ method, url, headers, body }) => {
    try {
      const response = await fetch(`${origin}${url}`, {
        redirect: 'manual',
        method,
        headers,
        ...(body === '' ? {} : { body }),
      })
      const text = await response.text()
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
    } catch {
      return undefined
    }
  }
}
