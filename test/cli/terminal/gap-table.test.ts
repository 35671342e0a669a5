import { describe, expect, it } from 'vitest'
import { gapNames, gaps } from '../../../src/contract/gaps.ts'
import { Cli, runCli } from '../../kit/cli-process.ts'

describe('gapTable()', () => {
  it('lists every gap with its clause, its choices and what it is about', async () => {
    const { code, stdout, stderr } = await runCli(['gaps'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^Gap +Spec +Choices, the default first +What is left open$/)
    expect(rows.map((row) => /^\w+/.exec(row)?.[0])).toEqual(gapNames)
    gapNames.forEach((name, index) => {
      const { spec, about } = gaps[name]
      expect(rows[index]).toContain(` ${spec} `)
      expect(rows[index]).toMatch(
        new RegExp(` ${about.replaceAll(/[.()+*?{}[\]^$|\\/]/g, '\\$&')}$`),
      )
    })
    expect(stdout).toMatch(/^retryAfterFormat +8 +seconds, http-date {2}/m)
    expect(stdout).toMatch(/^banDuration +8 +5m, any duration {2}/m)
  })

  it('minds no reader that leaves after the first line', async () => {
    const cli = new Cli(['gaps'])
    cli.process.stdout.destroy()
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
  })
})
