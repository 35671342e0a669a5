import { useRef, useState } from 'preact/hooks'
import { parseJson } from '../../contract/json/json.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { jsonName, saveFile } from '../parts/save-file.ts'
import { useKept } from './kept-context.ts'
import type { KeptFile } from './kept-files.ts'

interface KeptListProps {
  readonly onCompare: (file: KeptFile) => void
}

/** The files that the page keeps, and what can be done with each. */
export function KeptList({ onCompare }: KeptListProps) {
  const kept = useKept()
  const { run } = useAction()
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<KeptFile | undefined>(undefined)
  const remove = ({ id }: KeptFile): void => {
    kept.remove(id)
    // Its button is gone.
    list.current?.closest('main')?.focus()
  }
  return (
    <ul ref={list} class="kept-files">
      {kept.list.value.map((file) => (
        <li key={file.id} class="kept-file" aria-label={file.name}>
          <div>
            <b>{file.name}</b>
            <p class="hint">
              {file.kind}: {file.about}
              {file.kind === 'capture' ? <Replay /> : null}
            </p>
          </div>
          <fieldset class="group">
            <legend class="unseen">{file.name}</legend>
            {file.kind === 'capture' ? null : (
              <>
                <Button onClick={() => setAsked(file)}>Restore…</Button>
                <Button about="With the sandbox as it is now" onClick={() => onCompare(file)}>
                  Compare
                </Button>
              </>
            )}
            <Button onClick={() => saveFile(jsonName(file.name), file.text)}>Download</Button>
            <Button onClick={() => remove(file)}>Remove</Button>
          </fieldset>
        </li>
      ))}
      {asked === undefined ? null : (
        <Confirm
          title={`Restore ${asked.name}`}
          text="The whole state of the sandbox is replaced: pets, keys, quotas, clock, faults, gaps and the journal. Keep a snapshot first to come back to it."
          verb="Restore"
          onConfirm={() =>
            void run(
              (client) => client.restore(parseJson(asked.text)),
              `The sandbox is as ${asked.name} says`,
            )
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </ul>
  )
}

function Replay() {
  return (
    <>
      ; do it again with <code>petstore-sandbox replay FILE</code>
    </>
  )
}
