import { type NewRequest, useConsole } from '../live/console-context.ts'
import { Button } from '../parts/button.tsx'
import { useDialog } from '../parts/dialog.tsx'

interface SendButtonProps {
  readonly text: string
  /** Initial content of the form; by default a list of pets with the first key. */
  readonly first?: NewRequest
}

/** Button that opens a form for a request. */
export function SendButton({ text, first }: SendButtonProps) {
  const { store } = useConsole()
  const { dialog, open } = useDialog()
  const edit = async (): Promise<void> => {
    const { SendDialog } = await import('./send-form.tsx')
    const key = store.keys.peek()[0]?.key
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const list = { method: 'GET', path: '/pets', headers, body: '' }
    open((close) => <SendDialog first={first ?? list} onClose={close} />)
  }
  return (
    <>
      <Button onClick={() => void edit()}>{text}</Button>
      {dialog}
    </>
  )
}
