import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../../checks/reports/text.ts'
import { RemoteError } from '../../client/remote.ts'
import { packageVersion } from '../../mock/api/package-version.ts'
import { InputError, NotFoundError } from '../../mock/input/input-error.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Problem } from '../parts/display.tsx'
import { Sign } from '../parts/sign.tsx'

/** State of the connection to the sandbox. */
type Connection = 'connecting' | 'ready' | 'away' | 'unauthorized' | 'failed'

export function useConnection(): Connection {
  const { link, status, problem } = useConsole().store
  if (isAboutToken(problem.value)) return 'unauthorized'
  if (link.value === 'waiting') return 'away'
  if (status.value !== undefined) return 'ready'
  return problem.value === undefined ? 'connecting' : 'failed'
}

/** Banner shown while the server isn't running, or if it has another version than the page. */
export function Strip() {
  const isAway = useConnection() === 'away'
  // The server may have another version after a restart.
  const version =
    useResponse((client) => client.health(), [isAway]).result?.version ?? packageVersion
  if (!isAway && version === packageVersion) return null
  return (
    <p class="strip" role="status">
      {isAway ? (
        <>
          Not running. Start it with <code>npx petstore-sandbox</code>; this page is trying again.
        </>
      ) : (
        <>
          This page is of version {packageVersion}, the server of {version}.{' '}
          <Button onClick={() => location.reload()}>Reload</Button>
        </>
      )}
    </p>
  )
}

interface UnknownProps {
  /** Sends a request with a token; rejects if it isn't the server's. */
  readonly attempt: (token: string) => Promise<unknown>
  readonly onToken: (token: string) => void
  /** Creates the named sandbox that doesn't exist; only a server can. */
  readonly create?: () => Promise<unknown>
}

/** Shown instead of a place that can't be shown yet, with the reason. */
export function Unknown({ attempt, onToken, create }: UnknownProps) {
  const connection = useConnection()
  const { store, sandbox } = useConsole()
  const { problem } = store
  if (connection === 'unauthorized') return <TokenPrompt attempt={attempt} onToken={onToken} />
  if (problem.value instanceof NotFoundError && sandbox !== undefined && create !== undefined) {
    return <NoSandbox name={sandbox} create={create} />
  }
  if (connection === 'failed' && problem.value instanceof Error) {
    return <Problem text={problem.value.message} />
  }
  return <Skeleton />
}

/** Shown for the address of a sandbox that doesn't exist. */
function NoSandbox({
  name,
  create,
}: {
  readonly name: string
  readonly create: () => Promise<unknown>
}) {
  const run = useAction()
  const createAndShow = async (): Promise<void> => {
    await create()
    location.reload()
  }
  return (
    <Empty title="There is no such sandbox" text={name}>
      <p class="group">
        <Button kind="primary" onClick={() => void run(createAndShow)}>
          Create it
        </Button>
        <a class="button" href={location.pathname}>
          Show the default one
        </a>
      </p>
    </Empty>
  )
}

/** Three empty rows, shown after a moment. */
function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <p class="hint">Loading …</p>
      {[1, 2, 3].map((row) => (
        <span key={row} />
      ))}
    </div>
  )
}

function isAboutToken(problem: unknown): boolean {
  return problem instanceof RemoteError && problem.reason === 'unauthorized'
}

/** Form for the control token, which the server prints when it starts; the token is kept in memory only. */
function TokenPrompt({ attempt, onToken }: UnknownProps) {
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
          hint="Paste the token that the server printed when it started; the page forgets it when it is closed"
          required
        />
      </DataForm>
    </Dialog>
  )
}

/** Result of the latest control, above everything else; an error stays until it is dismissed. */
export function NoticePlace() {
  const { notices } = useConsole()
  const notice = notices.shown.value
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (notice === undefined) return
    // The popover shown last is on top, even of an open dialog.
    place.current?.showPopover()
    return () => place.current?.hidePopover()
  }, [notice])
  const undo = notice?.undo
  return (
    <section ref={place} class="notices" popover="manual" aria-label="Notices" aria-live="polite">
      {notice === undefined ? null : (
        <div
          class={`bar notice ${notice.kind}`}
          role={notice.kind === 'error' ? 'alert' : undefined}
        >
          <Sign name={notice.kind === 'error' ? 'broken' : 'check'} />
          <p class="grow">{notice.text}</p>
          {undo === undefined ? null : <Button onClick={undo}>Undo</Button>}
          <Button kind="quiet" label="Dismiss" onClick={() => notices.dismiss()}>
            <Sign name="close" />
          </Button>
        </div>
      )}
    </section>
  )
}

/** Announces findings and a lost connection to screen readers; requests would be too many. */
export function Announcer() {
  const { store } = useConsole()
  const [text, setText] = useState('')
  useEffect(() => {
    // Findings from before the page loaded aren't announced.
    let known: number | undefined
    return effect(() => {
      const link = store.link.value
      const found = store.findings.value.length
      if (store.status.value === undefined) return
      if (link === 'waiting') setText('The connection is lost')
      else if (known !== undefined && found > known)
        setText(countText(found - known, 'new finding'))
      known = found
    })
  }, [store])
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}
