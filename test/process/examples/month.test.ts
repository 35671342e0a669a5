import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const folder = fileURLToPath(new URL('../../../examples/month/', import.meta.url))

/** Runs a month; gives its exit code and its lines. */
function month(session: string) {
  const args = ['month.js', `./${session}-session.js`]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, lines: stdout.trimEnd().split('\n') }
}

describe('examples/month', () => {
  it('names the first bad instant of the rude client, the same one each time', () => {
    const { status, lines } = month('rude')
    expect(status).toBe(4)
    expect(lines.at(-1)).toBe('The first bad instant is 2030-11-22T12:00:00Z')
    for (const rule of ['retry-too-early', 'duplicate-create', 'removed-operation']) {
      expect(lines.some((line) => line.startsWith(`error ${rule} (`))).toBe(true)
    }
    expect(month('rude').lines).toEqual(lines)
  })

  it('finds none in the client to copy', () => {
    const { status, lines } = month('polite')
    expect(status).toBe(0)
    expect(lines.filter((line) => /^(?:error|warning) /.test(line))).toEqual([])
    expect(lines.at(-1)).toBe('No bad instant')
  })
})
