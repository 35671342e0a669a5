import { useLayoutEffect, useState } from 'preact/hooks'

/** Places in the order of the navigation; each has a row in `app/places.ts`. */
export const placeNames = ['requests', 'findings', 'fail', 'data', 'spec'] as const

export type PlaceName = (typeof placeNames)[number]

/** Parsed hash of the page's address: `#/requests/12?search=rex` is request 12 within the results of a search. */
export interface Route {
  readonly place: PlaceName
  /** Decoded path segments after the place. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export interface PlaceProps {
  readonly route: Route
}

/** Parses the hash of an address; an unknown place becomes the first one. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first = '', ...rest] = path.split('/').map(decoded)
  const place = placeNames.find((name) => name === first)
  return {
    place: place ?? placeNames[0],
    path: place === undefined ? [] : rest.filter((part) => part !== ''),
    query: new URLSearchParams(query),
  }
}

/** Decodes a path segment; returns a malformed one unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the link to a place or to an item in it; empty query parameters are left out. */
export function linkTo(
  place: PlaceName,
  path: readonly (string | number)[] = [],
  query: Readonly<Record<string, string>> | URLSearchParams = {},
): string {
  const parts = [place, ...path].map((part) => encodeURIComponent(part)).join('/')
  const given = [...new URLSearchParams(query)].filter(([, value]) => value !== '')
  const text = new URLSearchParams(given).toString()
  return `#/${parts}${text === '' ? '' : `?${text}`}`
}

/**
 * Navigates to a link by changing the page's address.
 *
 * @param step `replace` adds no history entry, for changes while a user types.
 */
export function goByAddress(link: string, step: 'push' | 'replace' = 'push'): void {
  if (step === 'push') {
    location.assign(link)
    return
  }
  history.replaceState(history.state, '', link)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Returns a value read from the page's address, and updates it when the address changes. */
export function useAddress<Value>(read: () => Value): Value {
  const [value, setValue] = useState(read)
  // Updates immediately: `popstate` also fires when only the hash changes, and doesn't wait for a frame.
  useLayoutEffect(() => {
    const update = (): void => setValue(read)
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  return value
}

/** Returns the route in the page's address. */
export function routeInAddress(): Route {
  return parseRoute(location.hash)
}
