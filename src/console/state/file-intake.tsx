import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useKept } from '../live/console-context.ts'
import { type FileFound, mostFiles, readFile } from './kept-files.ts'

interface FileIntakeProps {
  /** What stands above the place to drop files. */
  readonly actions: ComponentChildren
  readonly children: ComponentChildren
  /** Called with the archives among the files, which are one history. */
  readonly onArchives: (archives: readonly FileFound[]) => Promise<void>
}

/** Takes the files that are dropped anywhere on the page, or chosen, and says what is wrong with those that it can't. */
export function FileIntake({ actions, children, onArchives }: FileIntakeProps) {
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
    <div class="stack wide">
      {actions}
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
      {children}
    </div>
  )
}
