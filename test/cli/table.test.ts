import { describe, expect, it } from 'vitest'
import { formatTable } from '../../src/cli/table.ts'

describe('formatTable()', () => {
  it('lays cells out in columns, numbers to the right', () => {
    const rows = [
      ['Key', 'Per day', ''],
      ['free-key', '1,000', ''],
      ['pro', '10,000', 'expired'],
    ]
    expect(formatTable(rows, '  ').split('\n')).toEqual([
      '  Key       Per day',
      '  free-key    1,000',
      '  pro        10,000  expired',
    ])
  })

  it('gives nothing for no rows', () => {
    expect(formatTable([])).toBe('')
  })
})
