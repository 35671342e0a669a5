import { useEffect, useRef, useState } from 'preact/hooks'
import { parseJson, toJson } from '../../contract/json.ts'
import { ChoiceError } from '../../input/input-error.ts'
import { useConsole, useKept } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { useDialog } from '../parts/controls/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { compareSnapshots } from './compare-snapshots.ts'
import { type FileFound, fileOf, mostFiles, readFile } from './kept-files.ts'
import {
  type CalibratedFiles,
  CalibrationView,
  type ComparedSnapshots,
  Differences,
} from './results.tsx'

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
  const sides = [...snapshots.map(({ name }) => name), now]
  const at = (): string => new Date(store.time.now.peek() ?? 0).toISOString()
  const keep = (): Promise<boolean> =>
    run(async (client) => {
      const name = `${owner}, ${at().slice(0, 19).replace('T', ' ')}`
      kept.add({ ...fileOf(name, toJson(await client.snapshot())), sandbox: owner })
    }, 'Kept a snapshot')
  const compare = (before: string, after: string): Promise<boolean> =>
    run(async (client) => {
      const sideOf = async (name: string) => {
        const file = snapshots.find((one) => one.name === name)
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
  return (
    <div class="stack wide">
      <fieldset class="group">
        <legend class="unseen">The sandbox as it is now</legend>
        <Button kind="primary" onClick={() => void keep()}>
          Keep a snapshot
        </Button>
        <Button onClick={() => void download('snapshot')}>Download a snapshot</Button>
        <Button onClick={() => void download('petstore')}>Download a capture</Button>
      </fieldset>
      <DropZone onArchives={calibrateBy} />
      {files.length === 0 && calibrated === undefined && undecided === undefined ? (
        <Empty
          title="Nothing is kept yet"
          text="A snapshot is the whole state, to restore or to compare. A capture is everything that was done, to replay elsewhere. An archive (HAR) of the real service shows which choices it has made. What is kept here is gone when the page is closed."
        />
      ) : (
        <KeptList onCompare={({ name }) => void compare(name, now)} />
      )}
      {snapshots.length < 2 ? null : (
        <ChoiceBar
          // The latest two to begin with.
          key={snapshots.length}
          label="Compare two snapshots"
          choices={[
            { label: 'Compare', options: sides, first: sides.at(-3) },
            { label: 'with', options: sides, first: sides.at(-2) },
          ]}
          verb="Show what differs"
          onChoose={(before = '', after = '') => void compare(before, after)}
        />
      )}
      {undecided === undefined ? null : (
        <ChoiceBar
          label="Where the API is"
          choices={[
            {
              label: 'The archive has several addresses; the API is at',
              options: undecided.bases,
            },
          ]}
          verb="Calibrate"
          isNeeded
          onChoose={(base) => void calibrateBy(undecided.archives, base)}
        />
      )}
      {calibrated === undefined ? null : <CalibrationView calibrated={calibrated} />}
      {compared === undefined ? null : <Differences compared={compared} />}
    </div>
  )
}

interface ChoiceBarProps {
  readonly label: string
  readonly choices: readonly {
    readonly label: string
    readonly options: readonly string[]
    /** What it begins with. */
    readonly first?: string | undefined
  }[]
  readonly verb: string
  /** Whether nothing goes on without it: it takes the focus. */
  readonly isNeeded?: boolean
  readonly onChoose: (...values: readonly string[]) => void
}

/** A line that asks for a choice or two before something is done. */
function ChoiceBar({ label, choices, verb, isNeeded, onChoose }: ChoiceBarProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isNeeded) form.current?.querySelector('select')?.focus()
  }, [])
  return (
    <form
      ref={form}
      class="row compare-bar"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(...new FormData(event.currentTarget).getAll('choice').map(String))
      }}
    >
      {choices.map((choice) => (
        <label key={choice.label} class="group hint">
          {choice.label}
          <select name="choice">
            {choice.options.map((option) => (
              <option key={option} selected={option === choice.first}>
                {option}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Button type="submit" kind={isNeeded ? 'primary' : 'plain'}>
        {verb}
      </Button>
    </form>
  )
}

interface DropZoneProps {
  /** Called with the archives among the files, which are one history. */
  readonly onArchives: (archives: readonly FileFound[]) => Promise<void>
}

/** Takes the files that are dropped anywhere on the page, or chosen, and says what is wrong with those that it can't. */
function DropZone({ onArchives }: DropZoneProps) {
  const kept = useKept()
  const [isOver, setOver] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const take = async (files: Iterable<File> = []): Promise<void> => {
    const read = await Promise.allSettled(
      Array.from(files, async (file) => {
        const found = await readFile(file)
        if (found.kind !== 'archive') kept.add(found)
        return found
      }),
    )
    const archives = read
      .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      .filter(({ kind }) => kind === 'archive')
    const used = archives.length === 0 ? [] : await Promise.allSettled([onArchives(archives)])
    setProblems(
      [...read, ...used].flatMap((one) => (one.status === 'rejected' ? one.reason.message : [])),
    )
  }
  useEffect(() => {
    const leave = new AbortController()
    // A browser opens in place of the page what is dropped beside.
    const over = (event: DragEvent): void => {
      event.preventDefault()
      setOver(event.type === 'dragover')
      if (event.type === 'drop') void take(event.dataTransfer?.files)
    }
    for (const type of ['dragover', 'drop', 'dragleave'] as const) {
      document.addEventListener(type, over, { signal: leave.signal })
    }
    return () => leave.abort()
  }, [kept])
  return (
    <div class={`row drop-zone ${isOver ? 'over' : ''}`}>
      <p>
        Drop a snapshot, a capture or an archive (HAR) here (up to {mostFiles} files of at most 64
        MiB each), or
      </p>
      <label class="button">
        Choose a file…
        <input
          class="unseen"
          type="file"
          multiple
          accept=".json,.har,application/json"
          aria-describedby="state-problems"
          aria-invalid={problems.length > 0 ? true : undefined}
          onChange={({ currentTarget }) => {
            // The list is emptied with the value, which lets the same file be chosen again.
            const { files } = currentTarget
            void take(files ?? []).then(() => {
              currentTarget.value = ''
            })
          }}
        />
      </label>
      <div id="state-problems" role="alert">
        {problems.map((problem) => (
          <p key={problem} class="field-error">
            {problem}
          </p>
        ))}
      </div>
    </div>
  )
}

interface KeptListProps {
  readonly onCompare: (file: FileFound) => void
}

/** The files that the page keeps, and what can be done with each. */
function KeptList({ onCompare }: KeptListProps) {
  const kept = useKept()
  const { sandbox = 'default' } = useConsole()
  const { run } = useAction()
  const list = useRef<HTMLUListElement>(null)
  const { dialog, confirm } = useDialog()
  const remove = (name: string): void => {
    kept.remove(name)
    // Its button is gone.
    list.current?.closest('main')?.focus()
  }
  const askToRestore = (file: FileFound): void => {
    const { name, text, sandbox: owner = sandbox } = file
    const from = owner === sandbox ? '' : `This snapshot was taken of ${owner}. `
    const restored = `The sandbox ${sandbox} is as ${name}`
    confirm({
      title: `Restore ${name}`,
      text: `${from}The whole state of the sandbox ${sandbox} is replaced: pets, keys, quotas, clock, faults, gaps and the journal. Keep a snapshot first to come back to it.`,
      verb: 'Restore',
      onConfirm: () => void run((client) => client.restore(parseJson(text)), restored),
    })
  }
  return (
    <ul ref={list} class="list">
      {kept.list.value.map((file) => (
        <li key={file.name} class="row" aria-label={file.name}>
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
            <Button onClick={() => remove(file.name)}>Remove</Button>
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
