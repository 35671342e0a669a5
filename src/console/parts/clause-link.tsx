import { useConsole } from '../live/console-context.ts'

/** Leads to a clause of the interface, in the text that the process serves beside the console. */
export function ClauseLink({ clause }: { readonly clause: string }) {
  const number = /\d+(?:\.\d+)?/.exec(clause)?.[0]
  const { isPanel } = useConsole()
  if (number === undefined) return <span>{clause}</span>
  if (isPanel) return <span>spec {clause}</span>
  const mark = number.includes('.') ? `### ${number} ` : `## ${number}. `
  return (
    <a href={`interface.md#:~:text=${encodeURIComponent(mark)}`} target="_blank" rel="noreferrer">
      spec {clause}
    </a>
  )
}
