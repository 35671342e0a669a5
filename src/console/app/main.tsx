import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { RemoteError } from '../../client/remote.ts'
import { InputError } from '../../input/input-error.ts'
import { connectConsole } from '../live/connect-console.ts'
import { ConsoleProvider, type ConsoleScope, Notices } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { goByAddress, useAddress } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import { KeptFiles } from '../state/kept-files.ts'
import { App } from './app.tsx'

/** The console of the process that serves the page: which sandbox, with which token. */
function Root() {
  const sandbox = useAddress(nameInAddress)
  // In memory only: whoever opens the page anew is asked again.
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
      // The process is there to show it.
      file: document.documentElement.dataset.file,
      root: document,
      isPanel: false,
    }
  }, [sandbox, token])
  // A plain `useEffect` waits for a frame, and so would the first answers.
  useLayoutEffect(() => scope.store.start(), [scope])
  const listSandboxes = async (): Promise<readonly string[]> => {
    const main = connectConsole(undefined, token)
    return (await main.sandboxes.list()).map(({ name }) => name)
  }
  return (
    <ConsoleProvider value={scope}>
      <App chooser={{ sandbox, choose, list: listSandboxes }}>
        {isAboutToken(scope.store.problem.value) ? (
          <TokenPrompt
            attempt={(given) => connectConsole(sandbox, given).status()}
            onToken={setToken}
          />
        ) : null}
      </App>
    </ConsoleProvider>
  )
}

/** Goes to another sandbox. */
function choose(name: string | undefined): void {
  const query = name === undefined ? '' : `?${new URLSearchParams({ sandbox: name })}`
  history.pushState(null, '', `${location.pathname}${query}${location.hash}`)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The sandbox that the address of the page names, as `?sandbox=team-a`; `undefined` for the default one. */
function nameInAddress(): string | undefined {
  return new URLSearchParams(location.search).get('sandbox') || undefined
}

function isAboutToken(problem: unknown): boolean {
  return problem instanceof RemoteError && problem.reason === 'token'
}

interface TokenPromptProps {
  /** Asks the process with a token; rejects if it isn't its own. */
  readonly attempt: (token: string) => Promise<unknown>
  readonly onToken: (token: string) => void
}

/** Asks for the control token, which the process has printed at its start; it is kept in memory only. */
function TokenPrompt({ attempt, onToken }: TokenPromptProps) {
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) {
    return (
      <p class="problem">
        This sandbox is protected. <Button onClick={() => setOpen(true)}>Enter the token</Button>
      </p>
    )
  }
  return (
    <Dialog title="This sandbox is protected" onClose={() => setOpen(false)}>
      <DataForm
        label="Control token"
        verb="Use it"
        send={async (_, { token = '' }) => {
          try {
            await attempt(token)
          } catch (error) {
            throw isAboutToken(error) ? new InputError('This is not its token', ['token']) : error
          }
          onToken(token)
        }}
      >
        <TextInput
          name="token"
          label="Token"
          type="password"
          hint="Paste the token that the process printed when it started; the page forgets it when it is closed"
          required
        />
      </DataForm>
    </Dialog>
  )
}

const place = document.getElementById('app')
if (place !== null) render(<Root />, place)
