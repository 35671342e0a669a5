import { useLayoutEffect, useState } from 'preact/hooks'

/** The screens, in the order of the navigation; each has a row in `app/app.tsx`. */
export const screenNames = [
  'requests',
  'keys',
  'timeline',
  'findings',
  'situations',
  'coverage',
  'pets',
  'state',
] as const

export type ScreenName = (typeof screenNames)[number]

/** What the address of the page shows: `#/requests/12?search=rex` is the exchange 12 among those that a search finds. */
export interface Route {
  readonly screen: ScreenName
  /** What comes after the screen, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** What each screen is given. */
export interface ScreenProps {
  readonly route: Route
}

/** Reads the hash of an address; what it can't be is the first screen. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first = '', ...rest] = path.split('/').map(decoded)
  const screen = screenNames.find((name) => name === first)
  return {
    screen: screen ?? screenNames[0],
    path: screen === undefined ? [] : rest.filter((part) => part !== ''),
    query: new URLSearchParams(query),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The link to a screen, or to a thing on it, without what is empty in a query; deep links are these, behind the address of the page. */
export function linkTo(
  screen: ScreenName,
  path: readonly (string | number)[] = [],
  query: Readonly<Record<string, string>> | URLSearchParams = {},
): string {
  const place = [screen, ...path].map((part) => encodeURIComponent(part)).join('/')
  const given = [...new URLSearchParams(query)].filter(([, value]) => value !== '')
  const text = new URLSearchParams(given).toString()
  return `#/${place}${text === '' ? '' : `?${text}`}`
}

/**
 * Goes to a link by the address of the page.
 *
 * @param step `replace` leaves no step in the history, for what changes while somebody types.
 */
export function goByAddress(link: string, step: 'push' | 'replace' = 'push'): void {
  if (step === 'push') {
    location.assign(link)
    return
  }
  history.replaceState(history.state, '', link)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** What the address of the page says, as it changes. */
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

/** The screen that the address of the page shows. */
export function routeInAddress(): Route {
  return parseRoute(location.hash)
}
