import { createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'

it('waits when it is refused', async () => {
  const sandbox = createSandbox({ clock: { mode: 'frozen' } })
  const headers = { authorization: 'Bearer minute-exhausted-key' }
  const list = () => sandbox.handle({ method: 'GET', url: '/v1/pets', headers, body: '' })

  await list() // refused until the minute is over
  sandbox.clock.advance('1m')
  await list()

  const findings = await sandbox.audit()
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})
