import { saveFile } from '../save-file.ts'
import { Button } from './button.tsx'

interface DownloadButtonProps {
  /** Such as `JSON`: the button says "Download JSON". */
  readonly what: string
  /** The name of the file. */
  readonly name: string
  /** Made when it is asked for. */
  readonly text: () => string
}

/** Saves a text as a file. */
export function DownloadButton({ what, name, text }: DownloadButtonProps) {
  return <Button onClick={() => saveFile(name, text())}>Download {what}</Button>
}
