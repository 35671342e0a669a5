import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { RemoteError } from '../../client/remote.ts'
import { connectConsole } from '../live/connect-console.ts'
import { ConsoleProvider, type ConsoleScope } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { Notices } from '../live/notices.ts'
import { goByAddress } from '../model/route.ts'
import { KeptFiles } from '../state/kept-files.ts'
import { App } from './app.tsx'
import { TokenPrompt } from './token-prompt.tsx'

interface RootProps {
  readonly origin: string
  /** The name of the file that the process shows, if it is there for that. */
  readonly file?: string | undefined
}

/** The console of the process that serves the page: which sandbox, with which token. */
export function Root({ origin, file }: RootProps) {
  const [sandbox, choose] = useSandboxName()
  // In memory only: whoever opens the page anew is asked again.
  const [token, setToken] = useState<string | undefined>(undefined)
  const [kept] = useState(() => new KeptFiles())
  const scope = useMemo((): ConsoleScope => {
    const client = connectConsole({ origin, sandbox, token })
    const apiUrl = `${origin}${sandbox === undefined ? '' : `/sandboxes/${encodeURIComponent(sandbox)}`}/v1`
    return {
      client,
      store: new LiveStore(client),
      notices: new Notices(),
      kept,
      go: goByAddress,
      apiUrl,
      sandbox,
      file,
      root: document,
      isPanel: false,
    }
  }, [origin, sandbox, token, file, kept])
  // An effect of the usual kind waits for a frame, and so would the first answers.
  useLayoutEffect(() => scope.store.start(), [scope])
  const listSandboxes = async (): Promise<readonly string[]> => {
    const main = connectConsole({ origin, sandbox: undefined, token })
    return (await main.sandboxes.list()).map(({ name }) => name)
  }
  const problem = scope.store.problem.value
  const isProtected = problem instanceof RemoteError && problem.reason === 'token'
  return (
    <ConsoleProvider value={scope}>
      <App chooser={{ sandbox, choose, list: listSandboxes }}>
        {isProtected ? (
          <TokenPrompt
            attempt={(given) => connectConsole({ origin, sandbox, token: given }).status()}
            onToken={setToken}
          />
        ) : null}
      </App>
    </ConsoleProvider>
  )
}

/** The sandbox that the address of the page names, as `?sandbox=team-a`, and what goes to another one. */
function useSandboxName() {
  const [name, setName] = useState(nameInAddress)
  useEffect(() => {
    const update = (): void => setName(nameInAddress())
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  const choose = (next: string | undefined): void => {
    const query = next === undefined ? '' : `?${new URLSearchParams({ sandbox: next })}`
    history.pushState(null, '', `${location.pathname}${query}${location.hash}`)
    setName(next)
  }
  return [name, choose] as const
}

/** `undefined` for the default sandbox. */
function nameInAddress(): string | undefined {
  return new URLSearchParams(location.search).get('sandbox') || undefined
}
