import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CalibratedGap, Calibration } from '../../calibrate/calibrate.ts'
import { gapNames } from '../../contract/gaps.ts'
import { parseJson, toJson } from '../../contract/json.ts'
import { ChoiceError } from '../../input/input-error.ts'
import { namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { useConsole, useKept } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, Select } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { Menu, type MenuItem } from '../parts/controls/popover.tsx'
import { Badge, Empty, type Tone } from '../parts/display.tsx'
import { ClauseLink } from '../parts/document-link.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { type Column, Table } from '../parts/table.tsx'
import { gapSettingsOf } from '../situations/gap-texts.ts'
import { compareSnapshots, type Difference, type PartDifferences } from './compare-snapshots.ts'
import { type FileFound, fileOf, readFile } from './kept-files.ts'

/** The whole state of the sandbox: kept, restored, compared, saved to files and taken from them. */
export function StateScreen() {
  const { store, sandbox } = useConsole()
  const kept = useKept()
  const { run } = useAction()
  const [compared, setCompared] = useState<ComparedSnapshots | undefined>(undefined)
  const [calibrated, setCalibrated] = useState<CalibratedFiles | undefined>(undefined)
  const { dialog, open } = useDialog()
  // What was compared says nothing of another sandbox.
  useEffect(() => setCompared(undefined), [store])
  const owner = sandbox ?? 'default'
  const files = kept.list.value
  const keep = (): Promise<boolean> =>
    run(async (client) => {
      const { clock } = await client.status()
      const name = `${owner}, ${clock.now.slice(0, 19).replace('T', ' ')}`
      kept.add({ ...fileOf(name, toJson(await client.snapshot())), sandbox: owner })
    }, 'Kept a snapshot')
  const compare = (before: FileFound, after: FileFound | undefined): Promise<boolean> =>
    run(async (client) => {
      const content = after === undefined ? await client.snapshot() : parseJson(after.text)
      const parts = compareSnapshots(parseJson(before.text), content)
      setCompared({ before: before.name, after: after?.name ?? `${owner} now`, parts })
    })
  const download = (kind: 'snapshot' | 'petstore'): Promise<boolean> =>
    run(async (client) => {
      const content = await (kind === 'snapshot' ? client.snapshot() : client.capture())
      const { clock } = await client.status()
      saveFile(fileName(sandbox, clock.now, `${kind}.json`), toJson(content))
    })
  const calibrateBy = async (archives: readonly FileFound[], baseUrl?: string): Promise<void> => {
    // Loaded for those who need it: it has the engine in it.
    const { calibrate } = await import('../../calibrate/calibrate.ts')
    setCalibrated(undefined)
    try {
      const texts = archives.map(({ text }) => text)
      const name = archives.map((archive) => archive.name).join(', ')
      setCalibrated({ name, report: calibrate(texts, { baseUrl }) })
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error
      open((close) => (
        <Dialog title="Where the API is" onClose={close}>
          <DataForm
            label="Where the API is"
            verb="Calibrate"
            send={(_, { base }) => {
              // Before the focus goes to what is found.
              close()
              return calibrateBy(archives, base)
            }}
            onClose={close}
          >
            <Select
              name="base"
              label="The archive has several addresses; the API is at"
              options={error.choices}
            />
          </DataForm>
        </Dialog>
      ))
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
      {files.length === 0 && calibrated === undefined ? (
        <Empty
          title="Nothing is kept yet"
          text="A snapshot is the whole state, to restore or to compare. A capture is everything that was done, to replay elsewhere. An archive (HAR) of the real service shows which choices it has made. What is kept here is gone when the page is closed."
        />
      ) : (
        <KeptList onCompare={(before, after) => void compare(before, after)} />
      )}
      {calibrated === undefined ? null : <CalibrationView calibrated={calibrated} />}
      {compared === undefined ? null : <Differences compared={compared} />}
      {dialog}
    </div>
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
      <p>Drop snapshots, captures or archives (HAR) of at most 64 MiB each here, or</p>
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
  /** `undefined` for the sandbox as it is now. */
  readonly onCompare: (before: FileFound, after: FileFound | undefined) => void
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
  const snapshots = kept.list.value.filter(({ kind }) => kind === 'snapshot')
  const othersThan = (file: FileFound) =>
    snapshots
      .filter((other) => other !== file)
      .map((other): MenuItem => [other.name, () => onCompare(file, other)])
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
                <Button onClick={() => onCompare(file, undefined)}>Compare with now</Button>
                {snapshots.length < 2 ? null : (
                  <Menu text="Compare with ▾" label="Compare with" items={othersThan(file)} />
                )}
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

interface ResultProps {
  readonly title: string
  /** What was found: the focus goes to it when it is new. */
  readonly found: object
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

function Result({ title, found, action, children }: ResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [found])
  return (
    <section class="stack wide differences" aria-label={title}>
      <header class="row">
        <h2 ref={heading} class="title" tabIndex={-1}>
          {title}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}

interface BoxProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What is said where there are none. */
  readonly nothing?: string
}

/** A table in a box that says how many rows it has. */
function Box<Row>({ title, columns, rows, nothing }: BoxProps<Row>) {
  return (
    <section class="box stacked" aria-label={title}>
      <h3>
        {title} <span class="count">{rows.length}</span>
      </h3>
      {rows.length === 0 && nothing !== undefined ? (
        <p class="hint">{nothing}</p>
      ) : (
        <Table caption={title} columns={columns} rows={rows} keyOf={(row) => rows.indexOf(row)} />
      )}
    </section>
  )
}

/** What differs between two snapshots, and what these are called. */
export interface ComparedSnapshots {
  readonly before: string
  readonly after: string
  readonly parts: readonly PartDifferences[]
}

/** Two snapshots side by side, part by part, and only what differs. */
export function Differences({ compared }: { readonly compared: ComparedSnapshots }) {
  const { before, after, parts } = compared
  const side = (title: string, text: string | undefined) => (
    <>
      <span class="narrow-only">{title}: </span>
      {text ?? <span class="hint">not there</span>}
    </>
  )
  const columns: readonly Column<Difference>[] = [
    { name: 'what', title: 'What', isHeader: true, cell: ({ place }) => place || 'all of it' },
    { name: 'before', title: before, cell: (one) => side(before, one.before) },
    { name: 'after', title: after, cell: (one) => side(after, one.after) },
  ]
  return (
    <Result title={`${before} compared with ${after}`} found={compared}>
      {parts.length === 0 ? <p>Nothing differs.</p> : null}
      {parts.map(({ part, differences }) => (
        <Box key={part} title={part} columns={columns} rows={differences} />
      ))}
    </Result>
  )
}

/** What archives tell of a service, and what their files are called. */
export interface CalibratedFiles {
  readonly name: string
  readonly report: Calibration
}

/** How each verdict on a gap is shown, in this order. */
const tones: Readonly<Record<CalibratedGap['verdict'], Tone>> = {
  contradicted: 'error',
  shown: 'good',
  narrowed: 'info',
  unseen: 'neutral',
}

/** Which service archives were recorded with: what it breaks, what nothing explains, and its choices. */
export function CalibrationView({ calibrated }: { readonly calibrated: CalibratedFiles }) {
  const { file } = useConsole()
  const { run, isBusy } = useAction()
  const { exchanges, baseUrl, clauses, unexplained, gaps } = calibrated.report
  const rowsOf = (verdict: CalibratedGap['verdict']) =>
    gapNames.map((name) => ({ ...gaps[name], name })).filter((row) => row.verdict === verdict)
  const shown = rowsOf('shown')
  const unseen = rowsOf('unseen')
  const problems = namesOf(clauses).flatMap((clause) =>
    clauses[clause].problems.map((problem) => ({ ...problem, clause })),
  )
  const take = (): Promise<boolean> => {
    const choices = shown.map((row) => [row.name, row.choices[0] ?? ''])
    return run(
      (client) => client.setGaps(gapSettingsOf(Object.fromEntries(choices))),
      `The sandbox makes ${countText(shown.length, 'choice')} of the service`,
    )
  }
  return (
    <Result
      title={`Calibration by ${calibrated.name}`}
      found={calibrated}
      action={
        shown.length === 0 || file !== undefined ? null : (
          <Button kind="primary" disabled={isBusy} onClick={() => void take()}>
            Take these choices
          </Button>
        )
      }
    >
      <p>
        {baseUrl === null
          ? 'No request was sent to an API with /v1/pets.'
          : `${shown.length} of ${gapNames.length} choices are shown by ${countText(exchanges.judged, 'exchange')} with ${baseUrl}.`}
      </p>
      <Box
        title="What is wrong"
        columns={problemColumns}
        rows={[...problems, ...unexplained]}
        nothing="No clause is broken, and nothing is unexplained."
      />
      <Box
        title="Choices"
        columns={gapColumns}
        rows={[...rowsOf('contradicted'), ...shown, ...rowsOf('narrowed')]}
      />
      {unseen.length === 0 ? null : (
        <details>
          <summary>{countText(unseen.length, 'gap')} of which nothing was seen</summary>
          <Table
            caption="Not seen"
            columns={gapColumns.filter(({ name }) => name === 'gap' || name === 'ask')}
            rows={unseen}
            keyOf={({ name }) => name}
          />
        </details>
      )}
    </Result>
  )
}

/** Something that is wrong with a reply. */
interface Problem {
  /** None for what no choice explains. */
  readonly clause?: string
  readonly exchange: number
  readonly problem: string
}

const problemColumns: readonly Column<Problem>[] = [
  { name: 'problem', title: 'Problem', isHeader: true, cell: ({ problem }) => problem },
  { name: 'exchange', title: 'Exchange', cell: ({ exchange }) => `#${exchange}` },
  {
    name: 'clause',
    title: 'Clause',
    cell: ({ clause }) => (clause === undefined ? 'unexplained' : <ClauseLink clause={clause} />),
  },
]

const gapColumns: readonly Column<CalibratedGap & { readonly name: string }>[] = [
  { name: 'gap', title: 'Gap', isHeader: true, cell: ({ name }) => name },
  {
    name: 'verdict',
    title: 'Verdict',
    cell: ({ verdict }) => <Badge tone={tones[verdict]} text={verdict} />,
  },
  { name: 'choices', title: 'Choices that agree', cell: ({ choices }) => choices.join(', ') },
  {
    name: 'ask',
    title: 'What would tell',
    cell: ({ ask }) => (ask === undefined ? '' : <code>{ask}</code>),
  },
]
