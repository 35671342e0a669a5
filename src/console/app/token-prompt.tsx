import { useState } from 'preact/hooks'
import { Button } from '../parts/controls/button.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Field, Form } from '../parts/controls/field.tsx'

interface TokenPromptProps {
  /** Why the controls can't be used. */
  readonly refusal: string
  readonly onToken: (token: string) => void
}

/** Asks for the control token, which the process has printed at its start; it is kept in memory only. */
export function TokenPrompt({ refusal, onToken }: TokenPromptProps) {
  const [token, setToken] = useState('')
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) {
    return (
      <p class="problem" role="alert">
        {refusal} <Button onClick={() => setOpen(true)}>Enter the token</Button>
      </p>
    )
  }
  return (
    <Dialog title="Control token" onClose={() => setOpen(false)}>
      <p>{refusal}</p>
      <Form label="Control token" onSubmit={() => token !== '' && onToken(token)}>
        <Field label="Token" hint="The process printed it at its start; it is kept in memory only.">
          {(input) => (
            <input
              {...input}
              type="password"
              autocomplete="off"
              required
              value={token}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit">
          Use it
        </Button>
      </Form>
    </Dialog>
  )
}
