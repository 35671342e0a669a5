import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { LiveStore } from '../live/live-store.ts'

/** The number of a clause in a source such as `spec 8.2`. */
function clauseNumber(source: string): string | undefined {
  return /^(?:spec )?(\d+(?:\.\d+)?)/.exec(source)?.[1]
}

/** Links to a clause of the spec as the server renders it. */
export function ClauseLink({ clause }: { readonly clause: string }) {
  const number = clauseNumber(clause)
  if (number === undefined) return <span>{clause}</span>
  // A point of a clause, such as 8.2, is within it.
  const section = /^4\.\d/.test(number) ? number : number.split('.')[0]
  return <DocumentLink to={`api.html#clause-${section}`} text={`spec ${clause}`} />
}

/** Links to the clause that a source is, if it is one. */
export function SourceLink({ source }: { readonly source: string }) {
  if (!source.startsWith('spec ')) return <span>{source}</span>
  return <ClauseLink clause={source.slice('spec '.length)} />
}

/** Links to what a rule of the audit looks for, and what it leaves alone. */
export function RuleLink({ rule }: { readonly rule: string }) {
  return <DocumentLink to={`audit-rules.html#${rule}`} text="More" />
}

interface DocumentLinkProps {
  readonly to: string
  readonly text: string
}

/** Links to a rendered document; a page with a panel has no documents. */
export function DocumentLink({ to, text }: DocumentLinkProps) {
  if (useConsole().isPanel) return <span>{text}</span>
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

/** Loads the rendered spec once, or takes what the page has of it; scripts in it wouldn't run, and it has none. */
export function loadSpec({ documents }: LiveStore): Promise<NonElementParentNode | null> {
  const own = document.querySelector<HTMLTemplateElement>('template#spec')
  if (own !== null) return Promise.resolve(own.content)
  const name = 'api.html'
  const known = documents.get(name)
  if (known !== undefined) return known
  const loading = new Promise<Document | null>((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', name)
    request.responseType = 'document'
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })
  documents.set(name, loading)
  return loading
}

/** The text of a clause, without the clauses within it. */
export function ClauseText({ clause }: { readonly clause: string }) {
  const { isPanel, store } = useConsole()
  const place = useRef<HTMLDivElement>(null)
  const [isMissing, setMissing] = useState(isPanel)
  useEffect(() => {
    if (isPanel) return
    let isOver = false
    void loadSpec(store).then((document) => {
      const section = document?.getElementById(`clause-${clause}`)
      if (isOver || place.current === null) return
      setMissing(!section)
      const nodes = [...(section?.childNodes ?? [])].filter(
        ({ nodeName }) => !/^(?:SECTION|H\d)$/.test(nodeName),
      )
      place.current.replaceChildren(...nodes.map((node) => window.document.importNode(node, true)))
      for (const link of place.current.querySelectorAll('a')) {
        const [page = '', id = ''] = (link.getAttribute('href') ?? '').split('#')
        link.setAttribute('href', `${page || 'api.html'}${id && `#${id}`}`)
        link.target = '_blank'
      }
    })
    return () => {
      isOver = true
    }
  }, [clause, isPanel])
  return (
    <>
      <div ref={place} class="document clause-text" />
      {isMissing && !isPanel ? <p class="hint">The text is not served here.</p> : null}
    </>
  )
}
