import type { ComponentChildren } from 'preact'
import { type NewRequest, useConsole } from '../live/console-context.ts'
import { linkTo } from '../model/route.ts'
import { DataForm, Select, TextArea, TextInput } from '../parts/data-form.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** Value of the field *Key* for a request without a key. */
const noKey = 'none'

interface SendFormProps {
  /** Initial content; headers that the form has no field for are sent, too. */
  readonly first: NewRequest
  readonly onSend: (request: NewRequest) => Promise<void>
  readonly onClose?: () => void
  readonly children?: ComponentChildren
}

/** Form for a request to the API. */
export function SendForm({ first, onSend, onClose, children }: SendFormProps) {
  const keys = useConsole().store.keys.value.map(({ key }) => key)
  const { authorization, ...others } = first.headers
  const key = authorization?.replace(/^Bearer /, '') ?? noKey
  const listed = [...new Set([...keys, key, 'unknown-key'])].filter((one) => one !== noKey)
  return (
    <DataForm
      key={JSON.stringify([first, keys.length > 0])}
      label="Request"
      verb="Send"
      send={async (_, { method = 'GET', path = '/', key: chosen = noKey, body = '' }) => {
        const type = body === '' ? {} : { 'content-type': 'application/json' }
        const keyed = chosen === noKey ? {} : { authorization: `Bearer ${chosen}` }
        await onSend({ method, path, headers: { ...type, ...others, ...keyed }, body })
      }}
      {...(onClose === undefined ? {} : { onClose })}
    >
      <div class="request-fields">
        <Select
          name="method"
          label="Method"
          options={[...new Set(['GET', 'POST', 'PUT', 'DELETE', first.method])]}
          value={first.method}
        />
        <TextInput name="path" label="Path" value={first.path} />
        <Select
          name="key"
          label="Key"
          options={[...listed, [noKey, 'no key'] as const]}
          value={key}
        />
      </div>
      <TextArea name="body" label="Body" value={first.body} />
      {children}
    </DataForm>
  )
}

interface SendDialogProps {
  readonly first: NewRequest
  readonly onClose: () => void
}

/** Dialog that sends a request, and opens its details. */
export function SendDialog({ first, onClose }: SendDialogProps) {
  const { send, go } = useConsole()
  return (
    <Dialog title="Send a request" onClose={onClose}>
      <SendForm
        first={first}
        onClose={onClose}
        onSend={async (request) => {
          const id = await send(request)
          if (id !== undefined) go(linkTo('requests', [id]))
        }}
      />
    </Dialog>
  )
}
