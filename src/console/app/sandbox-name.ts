import { useEffect, useState } from 'preact/hooks'

/** The name of the sandbox in a query, such as `?sandbox=team-a`; `undefined` for the default one. */
function sandboxIn(search: string): string | undefined {
  const name = new URLSearchParams(search).get('sandbox')
  return name === null || name === '' ? undefined : name
}

/** The sandbox that the address of the page names, and what goes to another one. */
export function useSandboxName(): [string | undefined, (name: string | undefined) => void] {
  const [name, setName] = useState(() => sandboxIn(location.search))
  useEffect(() => {
    const update = (): void => setName(sandboxIn(location.search))
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  const choose = (next: string | undefined): void => {
    const query = next === undefined ? '' : `?${new URLSearchParams({ sandbox: next })}`
    history.pushState(null, '', `${location.pathname}${query}${location.hash}`)
    setName(next)
  }
  return [name, choose]
}
