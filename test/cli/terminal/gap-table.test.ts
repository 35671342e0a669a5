import { describe, expect, it } from 'vitest'
import { gapTable } from '../../../src/cli/terminal/gap-table.ts'
import { gapNames, gaps } from '../../../src/contract/gaps.ts'
import { gapDescriptions } from '../../../src/contract/openapi/gap-descriptions.ts'
import { Cli, runCli } from '../../kit/cli-process.ts'

describe('gapTable()', () => {
  it('lists every gap with its clause, its choices and what it is about', async () => {
    const { code, stdout, stderr } = await runCli(['gaps'])
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
