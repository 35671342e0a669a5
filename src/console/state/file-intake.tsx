import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useKept } from '../live/console-context.ts'
import { type FileFound, mostFiles } from './kept-files.ts'
import { readFile } from './read-kept-file.ts'

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
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const refused: string[] = []
    const attempt = async (step: () => Promise<void>): Promise<void> => {
      try {
        await step()
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
      }
    }
    const archives: FileFound[] = []
    for (const file of files ?? []) {
      await attempt(async () => {
        const found = await readFile(file)
        if (found.kind === 'archive') archives.push(found)
        else kept.add(found)
      })
    }
    if (archives.length > 0) await attempt(() => onArchives(archives))
    setProblems(refused)
  }
  useEffect(() => {
    const leave = new AbortController()
    const { signal } = leave
    // A browser opens in place of the page what is dropped beside.
    const over = (event: DragEvent): void => {
      event.preventDefault()
      setOver(event.type === 'dragover')
      if (event.type === 'drop') void take(event.dataTransfer?.files)
    }
    document.addEventListener('dragover', over, { signal })
    document.addEventListener('drop', over, { signal })
    document.addEventListener('dragleave', () => setOver(false), { signal })
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
              void take(files).then(() => {
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
