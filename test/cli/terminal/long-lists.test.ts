import { describe, expect, it } from 'vitest'
import { gapTable } from '../../../src/cli/remote/show-gaps.ts'
import { gapNames, gaps } from '../../../src/contract/gaps.ts'
import { gapDescriptions } from '../../../src/contract/openapi/gap-descriptions.ts'
import { createSandbox } from '../../../src/sandbox.ts'
import { Cli } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { sendMany } from '../../kit/send-many.ts'
import { testServer } from '../../kit/test-server.ts'

describe('gapTable()', () => {
  it('lists every gap with its clause, its choices and what it is about', async () => {
    const { code, stdout, stderr } = await runMain(['gaps', '--all'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^Gap +Spec +Choices, the default first +What is left open$/)
    expect(rows.map((row) => /^\w+/.exec(row)?.[0])).toEqual(gapNames)
    gapNames.forEach((name, index) => {
      const { spec } = gaps[name]
      const { about } = gapDescriptions[name]
      expect(rows[index]).toContain(` ${spec} `)
      expect(rows[index]).toMatch(
        new RegExp(` ${about.replaceAll(/[.()+*?{}[\]^$|\\/]/g, '\\$&')}$`),
      )
    })
    expect(stdout).toMatch(/^retryAfterFormat +8 +seconds, http-date {2}/m)
    expect(stdout).toMatch(/^banDuration +8 +5m, any duration {2}/m)
  })

  it('has what is left open below the names where a terminal is too narrow', () => {
    const lines = gapTable(80).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(gapNames)
    expect(gapTable(80)).toContain(`emptyName
   accept, reject
   A new pet with an empty name. Spec 2.
`)
    expect(gapTable(500)).toBe(gapTable())
  })

  it('minds no reader that leaves after the first line', async () => {
    const cli = new Cli(['gaps'])
    cli.process.stdout.destroy()
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a long list', () => {
  it.each([
    { line: 'gaps', rest: /^\d+ more lines; --all prints them$/m },
    { line: 'coverage', rest: /^\d+ more lines; --all prints them$/m },
    { line: 'pets', rest: /^\d+ more lines; --all prints them$/m },
    {
      line: 'requests',
      rest: /^The latest \d+ of 100; --all prints all, --limit N the latest N$/m,
    },
  ])('is cut at 4 KB, and says how to get the rest: $line', async ({ line, rest }) => {
    const { url, sandbox } = await testServer({ sandbox: createSandbox({ coverage: true }) })
    sandbox.pets.create(Array.from({ length: 300 }, () => ({ name: 'Rex', categoryId: 1 })))
    await sendMany(sandbox, 100)
    const { stdout } = await runMain([line, '--url', url])
    expect(stdout).toMatch(rest)
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(4_096)
    const { stdout: whole } = await runMain([line, '--all', '--url', url])
    expect(whole).not.toMatch(rest)
    expect(whole.length).toBeGreaterThan(4_096)
  })
})
