import { useLayoutEffect, useState } from 'preact/hooks'

/** The places, in the order of the navigation; each has a row in `app/app.tsx`. */
export const placeNames = ['requests', 'findings', 'fail', 'data', 'spec'] as const

export type PlaceName = (typeof placeNames)[number]

/** What the address of the page shows: `#/requests/12?search=rex` is request 12 among those that a search finds. */
export interface Route {
  readonly place: PlaceName
  /** The parts after the place, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** The properties of each place. */
export interface PlaceProps {
  readonly route: Route
}

/** Reads the hash of an address; an unknown one is the first place. */
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

/** Decodes a part of an address; one that can't be decoded stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the link to a place, or to a thing in it, without what is empty in a query. */
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
 * Goes to a link by the address of the page.
 *
 * @param step `replace` leaves no step in the history, for changes while a user types.
 */
export function goByAddress(link: string, step: 'push' | 'replace' = 'push'): void {
  if (step === 'push') {
    location.assign(link)
    return
  }
  history.replaceState(history.state, '', link)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Returns a part of the page's address, as it changes. */
export function useAddress<Value>(read: () => Value): Value {
  const [value, setValue] = useState(read)
  // Set at once: the event comes with another hash, too, and doesn't wait for a frame.
  useLayoutEffect(() => {
    const update = (): void => setValue(read)
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  return value
}

/** Returns the place that the address of the page shows. */
export function routeInAddress(): Route {
  return parseRoute(location.hash)
}
