import { useState } from 'preact/hooks'
import { parseJson, toJson } from '../../contract/json/json.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { timeOfDay } from '../model/entry-text.ts'
import { Button } from '../parts/controls/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { jsonName, saveFile } from '../parts/save-file.ts'
import { CompareBar, now } from './compare-bar.tsx'
import { compareSnapshots } from './compare-snapshots.ts'
import { type ComparedSnapshots, Differences } from './differences.tsx'
import { FileIntake } from './file-intake.tsx'
import { useKept } from './kept-context.ts'
import { KeptList } from './kept-list.tsx'
import { readKeptFile } from './read-kept-file.ts'

/** The whole state of the sandbox: kept, restored, compared, saved to files and taken from them. */
export function StateScreen() {
  const { store } = useConsole()
  const kept = useKept()
  const { run } = useAction()
  const [compared, setCompared] = useState<ComparedSnapshots | undefined>(undefined)
  const files = kept.list.value
  const snapshots = files.filter(({ kind }) => kind === 'snapshot')
  const nameNow = (what: string): string => {
    const at = new Date(store.time.now.peek() ?? 0).toISOString()
    return `${what} at ${timeOfDay(at).slice(0, 8)}`
  }
  const keep = (): Promise<boolean> =>
    run(async (client) => {
      kept.add(readKeptFile(nameNow('Snapshot'), toJson(await client.snapshot())))
    }, 'Kept a snapshot')
  const compare = (before: string, after: string): Promise<boolean> =>
    run(async (client) => {
      const sideOf = async (id: string) => {
        const file = snapshots.find((one) => String(one.id) === id)
        return file === undefined
          ? { name: now, content: await client.snapshot() }
          : { name: file.name, content: parseJson(file.text) }
      }
      const [one, other] = [await sideOf(before), await sideOf(after)]
      setCompared({
        before: one.name,
        after: other.name,
        parts: compareSnapshots(one.content, other.content),
      })
    })
  const actions = (
    <fieldset class="group">
      <legend class="unseen">The sandbox as it is now</legend>
      <Button kind="primary" onClick={() => void keep()}>
        Keep a snapshot
      </Button>
      <Button
        onClick={() =>
          void run(async (client) =>
            saveFile(jsonName(nameNow('Snapshot')), toJson(await client.snapshot())),
          )
        }
      >
        Download a snapshot
      </Button>
      <Button
        onClick={() =>
          void run(async (client) =>
            saveFile(jsonName(nameNow('Capture')), toJson(await client.capture())),
          )
        }
      >
        Download a capture
      </Button>
    </fieldset>
  )
  return (
    <FileIntake actions={actions}>
      {files.length === 0 ? (
        <Empty title="Nothing is kept yet">
          <p>
            A snapshot is the whole state, to come back to or to compare with. A capture is all that
            was done, to be done again elsewhere. What is kept here goes when the page is closed.
          </p>
        </Empty>
      ) : (
        <KeptList onCompare={({ id }) => void compare(String(id), now)} />
      )}
      {snapshots.length < 2 ? null : (
        <CompareBar
          snapshots={snapshots}
          onCompare={(before, after) => void compare(before, after)}
        />
      )}
      {compared === undefined ? null : <Differences compared={compared} />}
    </FileIntake>
  )
}
