import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { Throttle } from '../live/throttle.ts'

const everyMs = 5_000

/** Says what has come for those who don't see it: at most every five seconds, and never each request. */
export function Announcer() {
  const { store } = useConsole()
  const [text, setText] = useState('')
  useEffect(() => {
    let told = { requests: lastId(), findings: store.findings.peek().length, link: 'live' }
    const tell = (): void => {
      const requests = lastId()
      const findings = store.findings.peek().length
      const link = store.link.peek()
      // What was there before is no news.
      const isFirst = told.requests === 0
      const news = [
        link === 'waiting' && told.link !== 'waiting' ? 'The connection is lost' : '',
        isFirst ? '' : newText(requests - told.requests, 'new request'),
        isFirst ? '' : newText(findings - told.findings, 'finding'),
      ].filter(Boolean)
      told = { requests, findings, link }
      if (news.length > 0) setText(news.join(', '))
    }
    const turns = new Throttle(everyMs, tell)
    const stop = effect(() => {
      // Read to hear of their changes.
      if (store.entries.value && store.findings.value && store.link.value) turns.soon()
    })
    return () => {
      stop()
      turns.stop()
    }
    function lastId(): number {
      return store.entries.peek().at(-1)?.id ?? 0
    }
  }, [store])
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}

function newText(count: number, what: string): string {
  return count <= 0 ? '' : countText(count, what)
}
