import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { LiveStore } from '../live/live-store.ts'

/** Returns the number of a clause in a source such as `spec 8.2`. */
function clauseNumber(source: string): string | undefined {
  return /^(?:spec )?(\d+(?:\.\d+)?)/.exec(source)?.[1]
}

/** Link to a clause of the spec as rendered by the server. */
export function ClauseLink({ clause }: { readonly clause: string }) {
  const number = clauseNumber(clause)
  if (number === undefined) return <span>{clause}</span>
  // A numbered point such as 8.2 has no section of its own.
  const section = /^4\.\d/.test(number) ? number : number.split('.')[0]
  return <DocumentLink to={`api.html#clause-${section}`} text={`spec ${clause}`} />
}

/** Link to a source if it is a clause; otherwise its text. */
export function SourceLink({ source }: { readonly source: string }) {
  if (!source.startsWith('spec ')) return <span>{source}</span>
  return <ClauseLink clause={source.slice('spec '.length)} />
}

/** Link to the description of a rule. */
export function RuleLink({ rule }: { readonly rule: string }) {
  return <DocumentLink to={`audit-rules.html#${rule}`} text="More" />
}

interface DocumentLinkProps {
  readonly to: string
  readonly text: string
}

/** Link to a rendered document; only its text in a panel, which has no documents. */
export function DocumentLink({ to, text }: DocumentLinkProps) {
  if (useConsole().isPanel) return <span>{text}</span>
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

/**
 * Returns the spec embedded in the page, or loads the rendered spec once. Scripts in a document loaded like this don't
 * run.
 */
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

interface ClauseTextProps {
  readonly clause: string
  /** Whether to leave out the list of its gaps, where they are shown beside it. */
  readonly omitsGaps?: boolean
}

/** The text of a clause, without the clauses within it. */
export function ClauseText({ clause, omitsGaps = false }: ClauseTextProps) {
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
      const blocks = [...(section?.children ?? [])].filter(
        ({ localName }) => !/^(?:section|h\d)$/.test(localName),
      )
      // A heading, an anchor and a list.
      const gapsAt = omitsGaps ? blocks.findIndex(({ id }) => id.startsWith('gaps-')) : -1
      const shown = gapsAt < 0 ? blocks : blocks.toSpliced(gapsAt - 1, 3)
      place.current.replaceChildren(...shown.map((one) => window.document.importNode(one, true)))
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
      {isMissing && !isPanel ? <p class="hint">The text isn't available here.</p> : null}
    </>
  )
}
