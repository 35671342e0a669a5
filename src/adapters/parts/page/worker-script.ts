/** MSW's worker script. */
interface Script {
  readonly url: string
  readonly version: string
}

/** Reads the worker script; `undefined` if service workers are missing, since MSW then works without them. */
export async function readScript(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<Script | undefined> {
  if (!('serviceWorker' in navigator) || location.protocol === 'file:') return undefined
  const response = await fetch(url, { cache: 'no-cache' })
  const text = await response.text()
  const version = /INTEGRITY_CHECK_REQUEST/.test(text)
    ? /PACKAGE_VERSION = '([^']*)'/.exec(text)?.[1]
    : undefined
  if (response.ok && version !== undefined) return { url: response.url, version }
  const type = response.headers.get('content-type') ?? 'something without a Content-Type'
  const found = response.ok
    ? `${type}, which is not MSW's worker script`
    : `status ${response.status}`
  throw new Error(
    `Cannot start the worker: found ${found} at ${response.url}; ${remedy}, and set serviceWorker.url if it is elsewhere`,
  )
}

const remedy = 'run "npx msw init <public folder>"'

/**
 * Throws if the script is of another major version than the page's MSW. The two are incompatible, but MSW only warns
 * and may wait forever.
 */
export function expectSameMajor({ url, version }: Script, worker: object): void {
  const major = 'readyState' in worker ? 3 : 2
  if (version.startsWith(`${major}.`)) return
  throw new Error(
    `Cannot start the worker: the script at ${url} is from MSW ${version}, but the page uses MSW ${major}; ${remedy} to replace it`,
  )
}

/** Waits until the worker controls the page; after a forced reload, it has to take control again. */
export async function untilControlled(
  registration: ServiceWorkerRegistration | undefined,
): Promise<void> {
  if (registration === undefined || navigator.serviceWorker.controller !== null) return
  if (!location.href.startsWith(registration.scope)) {
    throw new Error(
      `Cannot start the worker: its scope is ${registration.scope}, and ${location.href} is outside it; put the script at the root`,
    )
  }
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
}
