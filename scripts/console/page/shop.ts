import { createSandbox } from 'petstore-sandbox'
import { mountPanel } from 'petstore-sandbox/panel'

/** What this script reads of an answer. */
interface Shown {
  readonly name: string
  readonly status?: string
}

const sandbox = createSandbox({ clock: { now: '2026-11-21T14:02:20Z', mode: 'frozen' } })

async function get(path: string, key = 'free-key'): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const outcome = await sandbox.handle({ method: 'GET', url: `/v1${path}`, headers, body: '' })
  sandbox.clock.advance('700ms')
  return outcome.kind === 'response' ? outcome.body : ''
}

const shown: readonly Shown[] = JSON.parse(await get('/pets?status=available&limit=9'))
document.querySelector('ul')?.append(
  ...shown.map(({ name, status = '' }) => {
    const item = document.createElement('li')
    const title = document.createElement('b')
    title.textContent = name
    item.append(title, status)
    return item
  }),
)
await get('/pets/7')
await get('/pets?limit=500')
sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
await get('/pets?status=sold')
await get('/pets', 'expired-key')
sandbox.keys.setRemaining('free-key', { minute: 0 })
await get('/pets?status=pending')
sandbox.keys.setRemaining('free-key', { minute: 42 })
await get('/pets?status=pending')
await mountPanel(sandbox, { when: 'always' })?.open()
