import { useEffect, useRef, useState } from 'preact/hooks'
import { parseJson, toJson } from '../../contract/json.ts'
import { ChoiceError } from '../../input/input-error.ts'
import { useConsole, useKept } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { type CalibratedFiles, CalibrationView } from './calibration-view.tsx'
import { compareSnapshots } from './compare-snapshots.ts'
import { type ComparedSnapshots, Differences } from './differences.tsx'
import { FileIntake } from './file-intake.tsx'
import type { FileFound, KeptFile } from './kept-files.ts'
import { KeptList } from './kept-list.tsx'
import { readKeptFile } from './read-kept-file.ts'

/** Archives of several addresses, each of which may be that of the API. */
interface Undecided {
  readonly archives: readonly FileFound[]
  readonly bases: readonly string[]
}

/** What stands for the sandbox as it is now. */
const now = 'now'

/** The whole state of the sandbox: kept, restored, compared, saved to files and taken from them. */
export function StateScreen() {
  const { store, sandbox } = useConsole()
  const kept = useKept()
  const { run } = useAction()
  const [compared, setCompared] = useState<ComparedSnapshots | undefined>(undefined)
  const [calibrated, setCalibrated] = useState<CalibratedFiles | undefined>(undefined)
  const [undecided, setUndecided] = useState<Undecided | undefined>(undefined)
  // What was compared says nothing of another sandbox.
  useEffect(() => setCompared(undefined), [store])
  const owner = sandbox ?? 'default'
  const files = kept.list.value
  const snapshots = files.filter(({ kind }) => kind === 'snapshot')
  const at = (): string => new Date(store.time.now.peek() ?? 0).toISOString()
  const keep = (): Promise<boolean> =>
    run(async (client) => {
      const name = `${owner}, ${at().slice(0, 19).replace('T', ' ')}`
      kept.add({ ...readKeptFile(name, toJson(await client.snapshot())), sandbox: owner })
    }, 'Kept a snapshot')
  const compare = (before: string, after: string): Promise<boolean> =>
    run(async (client) => {
      const sideOf = async (id: string) => {
        const file = snapshots.find((one) => String(one.id) === id)
        return file === undefined
          ? { name: `${owner} now`, content: await client.snapshot() }
          : { name: file.name, content: parseJson(file.text) }
      }
      const [one, other] = [await sideOf(before), await sideOf(after)]
      const parts = compareSnapshots(one.content, other.content)
      setCompared({ before: one.name, after: other.name, parts })
    })
  const download = (kind: 'snapshot' | 'petstore'): Promise<boolean> =>
    run(async (client) => {
      const content = await (kind === 'snapshot' ? client.snapshot() : client.capture())
      saveFile(fileName(sandbox, at(), `${kind}.json`), toJson(content))
    })
  const calibrateBy = async (archives: readonly FileFound[], baseUrl?: string): Promise<void> => {
    // Loaded for those who need it: it has the engine in it.
    const { calibrate } = await import('../../calibrate/calibrate.ts')
    setCalibrated(undefined)
    setUndecided(undefined)
    try {
      const report = calibrate(
        archives.map(({ text }) => text),
        { baseUrl },
      )
      setCalibrated({ name: archives.map(({ name }) => name).join(', '), report })
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error
      setUndecided({ archives, bases: error.choices })
    }
  }
  const actions = (
    <fieldset class="group">
      <legend class="unseen">The sandbox as it is now</legend>
      <Button kind="primary" onClick={() => void keep()}>
        Keep a snapshot
      </Button>
      <Button onClick={() => void download('snapshot')}>Download a snapshot</Button>
      <Button onClick={() => void download('petstore')}>Download a capture</Button>
    </fieldset>
  )
  return (
    <FileIntake actions={actions} onArchives={calibrateBy}>
      {files.length === 0 && calibrated === undefined && undecided === undefined ? (
        <Empty title="Nothing is kept yet">
          <p>
            A snapshot is the whole state, to restore or to compare. A capture is everything that
            was done, to replay elsewhere. An archive (HAR) of the real service shows which choices
            it has made. What is kept here is gone when the page is closed.
          </p>
        </Empty>
      ) : (
        <KeptList onCompare={({ id }) => void compare(String(id), now)} />
      )}
      {snapshots.length < 2 ? null : (
        <CompareBar
          key={snapshots.length}
          snapshots={snapshots}
          onCompare={(before, after) => void compare(before, after)}
        />
      )}
      {undecided === undefined ? null : (
        <BaseBar
          bases={undecided.bases}
          onChoose={(base) => void calibrateBy(undecided.archives, base)}
        />
      )}
      {calibrated === undefined ? null : <CalibrationView calibrated={calibrated} />}
      {compared === undefined ? null : <Differences compared={compared} />}
    </FileIntake>
  )
}

interface CompareBarProps {
  readonly snapshots: readonly KeptFile[]
  readonly onCompare: (before: string, after: string) => void
}

/** Chooses two snapshots to compare, the latest two to begin with; one may be the sandbox as it is now. */
function CompareBar({ snapshots, onCompare }: CompareBarProps) {
  const choice = (label: string, name: string, first: KeptFile | undefined) => (
    <label class="group hint">
      {label}
      <select name={name}>
        {snapshots.map((file) => (
          <option key={file.id} value={file.id} selected={file === first}>
            {file.name}
          </option>
        ))}
        <option value={now}>{now}</option>
      </select>
    </label>
  )
  return (
    <form
      class="row compare-bar"
      aria-label="Compare two snapshots"
      onSubmit={(event) => {
        event.preventDefault()
        const chosen = new FormData(event.currentTarget)
        onCompare(String(chosen.get('before')), String(chosen.get('after')))
      }}
    >
      {choice('Compare', 'before', snapshots.at(-2))}
      {choice('with', 'after', snapshots.at(-1))}
      <Button type="submit">Show what differs</Button>
    </form>
  )
}

interface BaseBarProps {
  readonly bases: readonly string[]
  readonly onChoose: (base: string) => void
}

/** Asks at which of several addresses the API is. */
function BaseBar({ bases, onChoose }: BaseBarProps) {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => select.current?.focus(), [])
  return (
    <form
      class="row compare-bar"
      aria-label="Where the API is"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(select.current?.value ?? '')
      }}
    >
      <label class="group hint">
        The archive has several addresses; the API is at
        <select ref={select}>
          {bases.map((base) => (
            <option key={base}>{base}</option>
          ))}
        </select>
      </label>
      <Button type="submit" kind="primary">
        Calibrate
      </Button>
    </form>
  )
}
