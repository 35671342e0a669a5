import { describe, expect, it } from 'vitest'
import { observeRun } from '../../../../src/cli/check/observer.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { httpAdapters } from '../../../kit/http-adapters.ts'

const headers = { authorization: 'Bearer enterprise-key' }

describe('observeRun()', () => {
  it.each([
    { name: 'one request after the other', waits: false, isParallel: false },
    { name: 'a request while another waits', waits: true, isParallel: true },
  ])('sees whether there are several requests under way: $name', async ({ waits, isParallel }) => {
    const sandbox = frozenSandbox({ coverage: true })
    const resultOf = await observeRun(sandbox, { excepted: new Set() })
    const served = await httpAdapters['the process']?.(sandbox)
    const url = `http://127.0.0.1:${served?.port}/v1/pets`
    const leave = new AbortController()
    if (waits) sandbox.faults.add({ fault: 'timeout', times: 1 })
    const first = fetch(url, { headers, signal: leave.signal }).then((response) => response.text())
    if (waits) await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
    else await first
    await fetch(url, { headers }).then((response) => response.text())
    leave.abort()
    await first.catch(() => {})
    await expect.poll(() => sandbox.requests.list().length).toBe(2)
    await fetch(url, { headers }).then((response) => response.text())
    await served?.close()
    expect(await resultOf({ oneClient: true })).toMatchObject({ requests: 3, isParallel })
  })
})
