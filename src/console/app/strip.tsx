import { useEffect, useState } from 'preact/hooks'
import { packageVersion } from '../../contract/package-version.ts'
import { useConsole } from '../live/console-context.ts'
import { Button } from '../parts/controls/button.tsx'

/** Whether the process doesn't answer, so that nothing can be changed. */
export function useIsAway(): boolean {
  return useConsole().store.link.value === 'waiting'
}

/** Says what stands between the page and its process: it is gone, or of another version. */
export function Strip() {
  const isAway = useIsAway()
  const version = useVersion()
  if (isAway) {
    return (
      <p class="strip" role="status">
        Not running. Start it with <code>npx petstore-sandbox</code>; this page is trying again.
      </p>
    )
  }
  if (version === undefined || version === packageVersion) return null
  return (
    <p class="strip" role="status">
      This page is of version {packageVersion}, the process of {version}.{' '}
      <Button onClick={() => location.reload()}>Reload</Button>
    </p>
  )
}

/** The version of the process, asked for when the page has found it again; until then it is that of the page. */
function useVersion(): string | undefined {
  const { client, store } = useConsole()
  const [version, setVersion] = useState<string | undefined>(undefined)
  useEffect(() => {
    let wasAway = false
    return store.link.subscribe((link) => {
      if (link === 'live' && wasAway) {
        client.health().then(
          (health) => setVersion(health.version),
          // It has gone again, and will be asked when it is back.
          () => {},
        )
      }
      wasAway = link === 'waiting'
    })
  }, [client, store])
  return version
}
