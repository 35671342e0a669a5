import { placeOfRule } from '../../reports/findings.ts'
import { useConsole } from '../live/console-context.ts'

/** Leads to a clause of the interface, in the text that the process serves beside the console. */
export function ClauseLink({ clause }: { readonly clause: string }) {
  const number = /\d+(?:\.\d+)?/.exec(clause)?.[0]
  if (number === undefined) return <span>{clause}</span>
  const heading = number.includes('.') ? `### ${number} ` : `## ${number}. `
  return <DocumentLink document="interface.md" heading={heading} text={`spec ${clause}`} />
}

/** Leads to the clause that a source is, if it is one. */
export function SourceLink({ source }: { readonly source: string }) {
  if (!source.startsWith('spec ')) return <span>{source}</span>
  return <ClauseLink clause={source.slice('spec '.length)} />
}

/** Leads to what a rule of the audit looks for, and what it leaves alone. */
export function RuleLink({ rule }: { readonly rule: string }) {
  return <DocumentLink document="audit.md" heading={`### ${rule}`} text={placeOfRule(rule)} />
}

/** Leads to what can be done on a screen. */
export function HelpLink({ screen }: { readonly screen: string }) {
  return <DocumentLink document="console.md" heading={`## ${screen}`} text="Help" />
}

interface DocumentLinkProps {
  readonly document: 'interface.md' | 'audit.md' | 'console.md'
  /** Its line, as the document has it. */
  readonly heading: string
  readonly text: string
}

/** Leads to a heading of a document; a page with a panel has no documents. */
function DocumentLink({ document, heading, text }: DocumentLinkProps) {
  if (useConsole().isPanel) return <span>{text}</span>
  // Hyphens, too, mean something there.
  const place = encodeURIComponent(heading).replaceAll('-', '%2D')
  return (
    <a href={`${document}#:~:text=${place}`} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}
