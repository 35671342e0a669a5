import { resent } from '../../checks/reports/request-text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { show } from '../../mock/input/input-error.ts'
import type { ConsoleClient } from './console-client.ts'
import type { NewRequest } from './console-context.ts'

/** Maximum time to wait for a response, in milliseconds. */
const maxWaitMs = 10_000

interface Sender {
  readonly client: ConsoleClient
  readonly apiUrl: string
  /** Sends a request, and waits for the end of its response. */
  readonly send: (request: Request) => Promise<unknown>
}

/**
 * Sends a request to the API, and returns its id in the log, even without a response; `undefined` if it isn't there.
 *
 * @throws TypeError for a path outside the API, and for a request that browsers can't send.
 */
export async function sendRequest(
  { method, path, headers, body }: NewRequest,
  { client, apiUrl, send }: Sender,
): Promise<number | undefined> {
  const base = new URL(apiUrl)
  const url = new URL(apiUrl + path)
  // A logged path may have dots: it must not lead to the controls.
  if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(`${base.pathname}/`)) {
    throw new TypeError(
      `Cannot send the request: found ${show(path)}; use a path of the API, such as /pets`,
    )
  }
  const signal = AbortSignal.timeout(maxWaitMs)
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
  const request = new Request(url, { method, headers, signal, body: hasBody ? body : null })
  const afterId = (await client.requests.list({ limit: 1, bodies: false })).at(-1)?.id ?? 0
  // The log has the outcome of a request without a response, too.
  await send(request).catch(() => {})
  const sent = await client.requests.list({ afterId, method, bodies: false })
  const target = url.pathname + url.search
  return (sent.findLast((one) => target.endsWith(one.request.url)) ?? sent.at(-1))?.id
}

/**
 * Returns a logged request, to send once more; what the log has abbreviated, it can't contain.
 *
 * @param key The whole key, if the sandbox has it.
 */
export function requestAgain(entry: RequestView, key: string): NewRequest {
  const { headers, ...others } = resent({ entry, apiUrl: '', key })
  const isWhole = ([, value]: readonly [string, string]): boolean => !value.includes('…')
  const unknown = headers.some((one) => one[0] === 'authorization' && !isWhole(one))
  return {
    ...others,
    headers: {
      ...Object.fromEntries(headers.filter(isWhole)),
      // An unknown key is rejected like any other.
      ...(unknown ? { authorization: 'Bearer unknown-key' } : {}),
    },
  }
}
