import { useMemo, useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { Fault } from '../live/live-store.ts'
import { useAction } from '../live/use-action.ts'
import { effectText, firstDraft, targetText } from '../model/situations/fault-texts.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm, Dialog } from '../parts/controls/dialog.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { FaultForm } from './fault-form.tsx'

/** The faults that wait for requests, and what they have done. */
export function FaultsPart() {
  const { store, file } = useConsole()
  const { run } = useAction()
  const [opened, setOpened] = useState<'form' | 'clear' | undefined>(undefined)
  const close = (): void => setOpened(undefined)
  const remove = (id: number): void =>
    void run((client) => client.faults.remove(id), `Fault ${id} is removed`)
  const columns = useMemo(
    () => (file === undefined ? [...shown, removeColumn(remove)] : shown),
    [store],
  )
  const faults = store.faults.value
  return (
    <section class="box situation" aria-labelledby="faults">
      <header>
        <h2 id="faults">Faults</h2>
        {file !== undefined ? null : (
          <div class="actions">
            <Button onClick={() => setOpened('form')}>Add a fault…</Button>
            {faults.length === 0 ? null : (
              <Button onClick={() => setOpened('clear')}>Remove all…</Button>
            )}
          </div>
        )}
      </header>
      {faults.length === 0 ? (
        <p class="hint">Nothing goes wrong on purpose.</p>
      ) : (
        <div class="stacked">
          {' '}
          <Table
            caption="Faults, in the order in which they were added"
            columns={columns}
            rows={faults}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {opened === 'form' ? (
        <Dialog title="Add a fault" onClose={close}>
          <FaultForm first={firstDraft} onDone={close} />
        </Dialog>
      ) : null}
      {opened === 'clear' ? (
        <Confirm
          title="Remove all faults"
          text={`${faults.length} of them. This can't be taken back.`}
          verb="Remove all"
          onConfirm={() => void run((client) => client.faults.clear(), 'All faults are removed')}
          onClose={close}
        />
      ) : null}
    </section>
  )
}

const shown: readonly Column<Fault>[] = [
  { name: 'id', title: '#', isNumber: true, isHeader: true, cell: ({ id }) => id },
  { name: 'effect', title: 'What goes wrong', cell: effectText },
  { name: 'target', title: 'For', cell: targetText },
  {
    name: 'struck',
    title: 'Hits',
    isNumber: true,
    cell: ({ struck, times }) =>
      times === undefined || times === null ? struck : `${struck} of ${times}`,
  },
]

function removeColumn(remove: (id: number) => void): Column<Fault> {
  return {
    name: 'remove',
    title: 'Remove',
    cell: ({ id }) => (
      <Button kind="quiet" label={`Remove fault ${id}`} onClick={() => remove(id)}>
        ✕
      </Button>
    ),
  }
}
