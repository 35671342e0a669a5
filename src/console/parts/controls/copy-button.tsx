import { useConsole } from '../../live/console-context.ts'
import { Button } from './button.tsx'

interface CopyButtonProps {
  /** Such as `curl`: the button says "Copy curl". */
  readonly what: string
  /** Made when it is asked for. */
  readonly text: () => string
}

/** Puts a text into the clipboard. */
export function CopyButton({ what, text }: CopyButtonProps) {
  const { notices } = useConsole()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      notices.add('done', `Copied: ${what}`)
    } catch {
      notices.add('error', `Cannot copy ${what}: the browser doesn't let the page; copy by hand`)
    }
  }
  return <Button onClick={() => void copy()}>Copy {what}</Button>
}
