import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { KeptFiles } from '../data/kept-files.ts'
import { connectConsole } from '../live/connect-console.ts'
import {
  ConsoleProvider,
  type ConsoleScope,
  Notices,
  type OpenFile,
} from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { goByAddress, linkTo, routeInAddress, useAddress } from '../model/route.ts'
import { App } from './app.tsx'
import { Unknown } from './connection.tsx'

/** The console for one sandbox of the server that the page was loaded from. */
function Root() {
  const sandbox = useAddress(nameInAddress)
  // In memory only: a reloaded page prompts for the token again.
  const [token, setToken] = useState<string | undefined>(undefined)
  const [kept] = useState(() => new KeptFiles())
  const scope = useMemo((): ConsoleScope => {
    const client = connectConsole(sandbox, token)
    const place = sandbox === undefined ? '' : `/sandboxes/${encodeURIComponent(sandbox)}`
    return {
      client,
      store: new LiveStore(client),
      notices: new Notices(),
      kept,
      go: goByAddress,
      apiUrl: `${location.origin}${place}/v1`,
      sandbox,
      file: fileInPage(),
      root: document,
      isPanel: false,
    }
  }, [sandbox, token])
  // A plain `useEffect` waits for a frame, which would delay the first responses.
  useLayoutEffect(() => scope.store.start(), [scope])
  const sandboxes = useMemo(() => connectConsole(undefined, token).sandboxes, [token])
  return (
    <ConsoleProvider value={scope}>
      <App chooser={{ sandbox, choose, sandboxes }}>
        <Unknown attempt={(given) => connectConsole(sandbox, given).status()} onToken={setToken} />
      </App>
    </ConsoleProvider>
  )
}

/** Switches to another sandbox, in the same place; the requests shown there are others. */
function choose(name: string | undefined): void {
  const { place, path } = routeInAddress()
  const link = linkTo(place, place === 'requests' ? [] : path)
  const query = name === undefined ? '' : `?${new URLSearchParams({ sandbox: name })}`
  history.pushState(null, '', `${location.pathname}${query}${link}`)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Returns the file that the server shows, if any. */
function fileInPage(): OpenFile | undefined {
  const { file: name } = document.documentElement.dataset
  return name === undefined ? undefined : { name }
}

/** Returns the sandbox named in the address, as in `?sandbox=team-a`; `undefined` for the default one. */
function nameInAddress(): string | undefined {
  return new URLSearchParams(location.search).get('sandbox') || undefined
}

const place = document.getElementById('app')
if (place !== null) render(<Root />, place)
