import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { keptDatabase } from '../data/kept-database.ts'
import { KeptFiles } from '../data/kept-files.ts'
import { connectConsole } from '../live/connect-console.ts'
import { ConsoleProvider, type ConsoleScope, Notices } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { sendRequest } from '../live/send-request.ts'
import { goByAddress, linkTo, routeInAddress, useAddress } from '../model/route.ts'
import { App } from './app.tsx'
import { Unknown } from './connection.tsx'

/** The console for one sandbox of the server that the page was loaded from. */
function Root() {
  const sandbox = useAddress(nameInAddress)
  // In memory only: a reloaded page prompts for the token again.
  const [token, setToken] = useState<string | undefined>(undefined)
  const [kept] = useState(() => new KeptFiles(keptDatabase()))
  const client = useMemo(() => connectConsole(sandbox, token), [sandbox, token])
  const live = useMemo(() => ({ store: new LiveStore(client), notices: new Notices() }), [client])
  const path = sandbox === undefined ? '' : `/sandboxes/${encodeURIComponent(sandbox)}`
  const apiUrl = `${location.origin}${path}/v1`
  const scope: ConsoleScope = {
    ...{ ...live, client, kept, sandbox, apiUrl },
    go: goByAddress,
    run: undefined,
    // The page that contains the engine.
    openRun: async (name) => void open(`playground.html#kept=${encodeURIComponent(name)}`),
    send: (request) =>
      sendRequest(request, {
        client,
        apiUrl,
        send: async (one) => await (await fetch(one)).text(),
      }),
    linkOf: (id) => location.href.replace(/#.*/s, linkTo('requests', [id])),
    root: document,
    isPanel: false,
  }
  // A plain `useEffect` waits for a frame, which would delay the first responses.
  useLayoutEffect(() => live.store.start(), [live])
  const sandboxes = useMemo(() => connectConsole(undefined, token).sandboxes, [token])
  return (
    <ConsoleProvider value={scope}>
      <App chooser={{ sandbox, choose, sandboxes }}>
        <Unknown
          attempt={(given) => connectConsole(sandbox, given).status()}
          onToken={setToken}
          create={() => sandboxes.create(sandbox === undefined ? {} : { name: sandbox })}
        />
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

/** Returns the sandbox named in the address, as in `?sandbox=team-a`; `undefined` for the default one. */
function nameInAddress(): string | undefined {
  return new URLSearchParams(location.search).get('sandbox') || undefined
}

const place = document.getElementById('app')
if (place !== null) render(<Root />, place)
