import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { toJson } from '../../../src/contract/json/json.ts'
import { Cli, testFolder } from '../../kit/cli-process.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { runMain } from '../../kit/run-main.ts'
import { requestOf } from '../../kit/send.ts'

/** Writes a file and opens it; gives the address of the page. */
async function openFile(name: string, document: unknown): Promise<{ cli: Cli; page: URL }> {
  const cwd = testFolder()
  writeFileSync(join(cwd, name), toJson(document))
  const cli = new Cli(['open', name, '--no-browser'], { cwd })
  const [, address = ''] = await cli.printed(/ is shown at (\S+)/)
  return { cli, page: new URL(address) }
}

describe('open', () => {
  it('shows a capture, lets nothing be changed, and ends when it is told to', async () => {
    const original = frozenSandbox()
    await original.handle(requestOf({}))
    await original.handle(requestOf({ url: '/v1/pets/1' }))
    const { cli, page } = await openFile('a "b".json', await original.capture())
    expect(await (await fetch(page)).text()).toContain('<html data-file="a &#34;b&#34;.json" ')
    const shown = connectSandbox(page.origin)
    expect(await shown.journal.entries()).toMatchObject(
      original.journal.entries().map(({ at, why }) => ({ at, why })),
    )
    expect(await shown.whatIf(1, { listOrder: 'id-descending' })).toMatchObject({ differs: true })
    await expect(shown.reset()).rejects.toThrow('Cannot change a "b".json: it is only shown here')
    await expect(shown.restore(original.snapshot())).rejects.toThrow('it is only shown here')
    for (const path of ['keys/what-if', 'faults?id=/what-if', 'sandboxes/what-if']) {
      const asked = await fetch(new URL(`/_sandbox/${path}`, page), { method: 'DELETE' })
      expect(asked.status).toBe(403)
    }
    const reply = await fetch(new URL('/v1/pets', page), { method: 'POST', body: 'x' })
    expect(reply.status).toBe(403)
    expect(await shown.journal.entries()).toHaveLength(2)
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  it('shows the findings of an audit report', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    const findings = await sandbox.audit()
    expect(findings).toHaveLength(1)
    const { page } = await openFile('report.json', { findings, summary: 'more than is read' })
    expect(page.hash).toBe('#/findings')
    const shown = connectSandbox(page.origin)
    expect(await shown.audit()).toEqual(findings)
    expect((await shown.status()).findings).toMatchObject({ counts: { warning: 1 } })
  })

  it('shows a report of very many requests, whose name holds more than letters', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    const [finding] = await sandbox.audit()
    const exchanges = Array.from({ length: 200_000 }, (_, index) => index + 1)
    const { cli, page } = await openFile('a\u001b[31m.json', {
      findings: [{ ...finding, exchanges }],
    })
    expect((await connectSandbox(page.origin).status()).findings).toMatchObject({ judged: 200_000 })
    expect((await cli.stop('SIGINT')).stdout).toContain('a\\x1b[31m.json is shown at')
  })

  it.each([
    { what: 'another document', text: '{"a":1}', why: 'neither a capture nor an audit report' },
    { what: 'no JSON', text: 'petstore', why: 'it is not valid JSON' },
    { what: 'findings of another shape', text: '{"findings":[1]}', why: 'report.findings[0]' },
    { what: 'a broken capture', text: '{"petstoreCapture":1}', why: 'it is missing' },
    { what: 'a later capture', text: '{"petstoreCapture":99}', why: 'a capture of version 99' },
  ])('refuses $what in one line', async ({ text, why }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'a.json'), text)
    const { code, stdout, stderr } = await runMain(['open', 'a.json', '--no-browser'], { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(why)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
