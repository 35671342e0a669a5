import { useState } from 'preact/hooks'
import { RemoteError } from '../../client/remote.ts'
import { InputError } from '../../input/input-error.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'

interface TokenPromptProps {
  /** Asks the process with a token; rejects if it isn't its own. */
  readonly attempt: (token: string) => Promise<unknown>
  readonly onToken: (token: string) => void
}

/** Asks for the control token, which the process has printed at its start; it is kept in memory only. */
export function TokenPrompt({ attempt, onToken }: TokenPromptProps) {
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
            const isWrong = error instanceof RemoteError && error.reason === 'token'
            throw isWrong ? new InputError('This is not its token', ['token']) : error
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
