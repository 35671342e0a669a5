import { describe, expect, it } from 'vitest'
import { coverageReport } from '../../../src/coverage/coverage-report.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox.ts'
import { controlHost } from '../../kit/control-host.ts'
import { send } from '../../kit/send.ts'
import { sendControl } from '../../kit/send-control.ts'

async function coverageOf(sandbox: Sandbox) {
  const host = controlHost({ sandbox })
  const { status, body } = await sendControl(host, 'GET', '/coverage')
  return { status, found: JSON.parse(body) as unknown }
}

describe('GET /_sandbox/coverage', () => {
  it('gives what coverage() gives', async () => {
    const sandbox = createSandbox({ coverage: true })
    const host = controlHost({ sandbox })
    await sendControl(host, 'POST', '/marks', '{"kind":"test-began","name":"lists pets"}')
    await send(sandbox)
    const { status, found } = await coverageOf(sandbox)
    expect(status).toBe(200)
    expect(found).toEqual(await sandbox.coverage())
    expect(coverageReport.read(found).tiers.outcomes.cells[0]).toEqual({
      cell: 'listPets 200',
      met: true,
      by: 'lists pets',
      how: 'await client().listPets()',
    })
  })

  it('is refused where coverage is off, with what switches it on', async () => {
    const { status, found } = await coverageOf(createSandbox())
    expect(status).toBe(400)
    expect(found).toMatchObject({ message: expect.stringContaining('start with --coverage') })
  })
})
