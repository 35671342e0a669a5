import { describe, expect, it } from 'vitest'
import { reportTargets } from '../../../src/cli/reports/report-option.ts'
import { readInput } from '../../../src/input/schema.ts'

describe('reportTargets', () => {
  it('are formats, each with a file or for standard output', () => {
    expect(reportTargets.read('pretty,junit=out/a=b.xml,markdown=page.md')).toEqual([
      { format: 'pretty', file: undefined },
      { format: 'junit', file: 'out/a=b.xml' },
      { format: 'markdown', file: 'page.md' },
    ])
  })

  it.each(['xml', 'junit=', '=file', '', 'JSON'])('refuse %j', (text) => {
    expect(() => readInput(reportTargets, text, '--report')).toThrow(
      `Cannot set --report: found "${text}"; use a format (pretty, json, junit, github, markdown), or a format and its file, such as junit=report.xml`,
    )
  })
})
