import { useEffect, useRef, useState } from 'preact/hooks'

interface FilePickerProps {
  readonly text: string
  readonly accept: string
  readonly onFiles: (files: readonly File[]) => void
}

/** Button to pick files, which can also be dropped anywhere on the page. */
export function FilePicker({ text, accept, onFiles }: FilePickerProps) {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const leave = new AbortController()
    const take = (event: DragEvent): void => {
      // By default a browser opens a dropped file in place of the page.
      event.preventDefault()
      setOver(event.type === 'dragover')
      const files = [...(event.dataTransfer?.files ?? [])]
      if (event.type === 'drop' && files.length > 0) latest.current(files)
    }
    for (const type of ['dragover', 'drop', 'dragleave'] as const) {
      document.addEventListener(type, take, { signal: leave.signal })
    }
    return () => leave.abort()
  }, [])
  return (
    <label class={`button ${isOver ? 'over' : ''}`} title="Or drop files anywhere on the page">
      {text}
      <input
        class="unseen"
        type="file"
        multiple
        accept={accept}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Otherwise picking the same file again would fire no event.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </label>
  )
}
