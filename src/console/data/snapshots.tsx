import { useEffect, useState } from 'preact/hooks'
import { parseJson, toJson } from '../../mock/api/json.ts'
import { isRecord } from '../../mock/input/record.ts'
import { useConsole, useKept } from '../live/console-context.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'
import { DiffView } from '../parts/diff-view.tsx'
import { Empty } from '../parts/display.tsx'
import { Menu, type MenuItem } from '../parts/popover.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Sign } from '../parts/sign.tsx'
import { changesBetween, comparable, requestLines } from './compare-snapshots.ts'
import { type FileFound, fileOf } from './kept-files.ts'

/** Two snapshots or captures to compare. */
interface Compared {
  readonly before: readonly [name: string, text: string]
  readonly after: readonly [name: string, text: string]
}

/** Snapshots of the sandbox with the changes since then, and imported captures. */
export function Snapshots() {
  const { store, sandbox = 'default' } = useConsole()
  const kept = useKept()
  const run = useAction()
  const [compared, setCompared] = useState<Compared | undefined>(undefined)
  const files = kept.list.value
  const snapshots = files.filter(({ kind }) => kind === 'snapshot')
  const { result: now } = useResponse(
    async (client) => (snapshots.length === 0 ? undefined : await client.snapshot()),
    [store.marks.value.at(-1), store.entries.value.at(-1)?.id, snapshots.length],
  )
  useEffect(() => setCompared(undefined), [store])
  const keep = (): Promise<boolean> =>
    run(async (client) => {
      const { clock } = await client.status()
      const name = `${sandbox}, ${clock.now.slice(0, 19).replace('T', ' ')}`
      kept.add({ ...fileOf(name, toJson(await client.snapshot())), sandbox })
    }, 'Saved a snapshot')
  const compare = (before: FileFound, after: FileFound | undefined): Promise<boolean> =>
    run(async (client) => {
      const isCapture = before.kind === 'capture'
      const current = () => (isCapture ? client.capture() : client.snapshot())
      const content = after === undefined ? await current() : parseJson(after.text)
      const linesOf = isCapture ? requestLines : comparable
      setCompared({
        before: [before.name, linesOf(parseJson(before.text))],
        after: [after?.name ?? 'now', linesOf(content)],
      })
    })
  return (
    <div class="stack">
      <p class="row">
        <Button kind="primary" onClick={() => void keep()}>
          Save a snapshot
        </Button>
        <span class="hint">Kept in this browser until you remove it.</span>
      </p>
      {files.length === 0 ? (
        <Empty
          title="Nothing is saved yet"
          text="A snapshot is the whole state, to restore or to compare. Drop a snapshot, a capture, or pets and keys as JSON or CSV anywhere on the page."
        />
      ) : (
        <ul class="list" aria-label="Snapshots">
          {files.map((file) => (
            <SnapshotRow
              key={file.name}
              file={file}
              now={now}
              others={files.filter((other) => other !== file && other.kind === file.kind)}
              onCompare={(other) => void compare(file, other)}
            />
          ))}
        </ul>
      )}
      {compared === undefined ? null : (
        <section class="box stack compared" aria-label="Comparison">
          <header class="bar">
            <h2 class="grow">
              {compared.before[0]} compared with {compared.after[0]}
            </h2>
            <Button kind="quiet" label="Close" onClick={() => setCompared(undefined)}>
              <Sign name="close" />
            </Button>
          </header>
          <DiffView
            before={compared.before[1]}
            after={compared.after[1]}
            names={[compared.before[0], compared.after[0]]}
          />
        </section>
      )}
    </div>
  )
}

interface SnapshotRowProps {
  readonly file: FileFound
  /** Current state of the sandbox. */
  readonly now: unknown
  readonly others: readonly FileFound[]
  readonly onCompare: (other: FileFound | undefined) => void
}

/** A kept file: its content, the changes since then, and its actions. */
function SnapshotRow({ file, now, others, onCompare }: SnapshotRowProps) {
  const { name, kind, summary, text, sandbox } = file
  const { openRun } = useConsole()
  const kept = useKept()
  const run = useAction()
  const changes = kind === 'snapshot' && isRecord(now) ? changesBetween(parseJson(text), now) : []
  const restore = (): void =>
    void run(
      [{ control: 'restore', args: [parseJson(text)] }],
      `Restored ${name}; Undo brings back all as it was before`,
    )
  return (
    <li class="bar" aria-label={name}>
      <span class="grow one-line">
        <b>{name}</b>{' '}
        <span class="hint">
          {kind}
          {sandbox === undefined ? '' : ` of ${sandbox}`}: {summary}
        </span>
      </span>
      {kind !== 'snapshot' || !isRecord(now) ? null : changes.length === 0 ? (
        <span class="hint">as now</span>
      ) : (
        changes.map((change) => (
          <span key={change} class="tag">
            {change}
          </span>
        ))
      )}
      <Button onClick={() => onCompare(undefined)}>Compare</Button>
      {kind === 'snapshot' ? <Button onClick={restore}>Restore</Button> : null}
      {kind === 'capture' && openRun !== undefined ? (
        <Button onClick={() => void run(() => openRun(name, text))}>Open</Button>
      ) : null}
      <Menu
        kind="quiet"
        text={<Sign name="more" />}
        label={`More about ${name}`}
        items={[
          ...others.map(
            (other): MenuItem => [`Compare with ${other.name}`, () => onCompare(other)],
          ),
          ['Save as a file', () => saveFile(jsonName(name), text)],
          ['Remove', () => kept.remove(name)],
        ]}
      />
    </li>
  )
}

function jsonName(title: string): string {
  return /\.json$/i.test(title) ? title : `${title.replace(/[^\w.-]+/g, '-')}.snapshot.json`
}
