import { useRef } from 'preact/hooks'
import { parseJson } from '../../contract/json.ts'
import { useConsole, useKept } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm, useDialog } from '../parts/controls/dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import type { KeptFile } from './kept-files.ts'

interface KeptListProps {
  readonly onCompare: (file: KeptFile) => void
}

/** The files that the page keeps, and what can be done with each. */
export function KeptList({ onCompare }: KeptListProps) {
  const kept = useKept()
  const { sandbox = 'default' } = useConsole()
  const { run } = useAction()
  const list = useRef<HTMLUListElement>(null)
  const { dialog, open } = useDialog()
  const remove = ({ id }: KeptFile): void => {
    kept.remove(id)
    // Its button is gone.
    list.current?.closest('main')?.focus()
  }
  const askToRestore = (file: KeptFile): void => {
    const { name, text, sandbox: owner = sandbox } = file
    const from = owner === sandbox ? '' : `This snapshot was taken of ${owner}. `
    open((close) => (
      <Confirm
        title={`Restore ${name}`}
        text={`${from}The whole state of the sandbox ${sandbox} is replaced: pets, keys, quotas, clock, faults, gaps and the journal. Keep a snapshot first to come back to it.`}
        verb="Restore"
        onConfirm={() =>
          void run(
            (client) => client.restore(parseJson(text)),
            `The sandbox ${sandbox} is as ${name}`,
          )
        }
        onClose={close}
      />
    ))
  }
  return (
    <ul ref={list} class="list">
      {kept.list.value.map((file) => (
        <li key={file.id} class="row" aria-label={file.name}>
          <div>
            <b>{file.name}</b>
            <p class="hint">
              {file.kind}
              {file.sandbox === undefined ? ' from a file' : ` of ${file.sandbox}`}: {file.about}
              {file.kind === 'capture' ? (
                <>
                  ; do it again with <code>petstore-sandbox replay FILE</code>
                </>
              ) : null}
            </p>
          </div>
          <fieldset class="group">
            <legend class="unseen">{file.name}</legend>
            {file.kind === 'capture' ? null : (
              <>
                <Button onClick={() => askToRestore(file)}>Restore…</Button>
                <Button onClick={() => onCompare(file)}>Compare with now</Button>
              </>
            )}
            <Button onClick={() => saveFile(jsonName(file.name), file.text)}>Download</Button>
            <Button onClick={() => remove(file)}>Remove</Button>
          </fieldset>
        </li>
      ))}
      {dialog}
    </ul>
  )
}

function jsonName(title: string): string {
  return /\.json$/i.test(title) ? title : `${title.replace(/[^\w.-]+/g, '-')}.snapshot.json`
}
