import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'

/** Says what was found, and that the connection is lost, for those who don't see it; requests would be too many. */
export function Announcer() {
  const { store } = useConsole()
  const [text, setText] = useState('')
  useEffect(() => {
    // What was there before is no news.
    let told: number | undefined
    return effect(() => {
      const link = store.link.value
      const found = store.findings.value.length
      if (store.status.value === undefined) return
      if (link === 'waiting') setText('The connection is lost')
      else if (told !== undefined && found > told) setText(countText(found - told, 'new finding'))
      told = found
    })
  }, [store])
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}
