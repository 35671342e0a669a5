import { describe, expect, it } from 'vitest'
import { formatTable } from '../../../src/cli/terminal/table.ts'

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

  it('sets only columns of whole numbers to the right, whatever stands over them', () => {
    const rows = [
      ['id', 'spec', 'name'],
      ['-9223372036854775808', '2', '12'],
      ['7', '4.1', 'Bella'],
      ['', '8', ''],
    ]
    expect(formatTable(rows).split('\n')).toEqual([
      '                  id  spec  name',
      '-9223372036854775808  2     12',
      '                   7  4.1   Bella',
      '                      8',
    ])
  })

  it('knows how wide a terminal shows a text', () => {
    const rows = [
      ['猫🐱', '|'],
      ['e\u0301', '|'],
      ['👨‍👩‍👧', '|'],
      ['four', '|'],
    ]
    expect(formatTable(rows).split('\n')).toEqual([
      '猫🐱  |',
      'e\u0301     |',
      '👨‍👩‍👧    |',
      'four  |',
    ])
  })

  it('gives nothing for no rows', () => {
    expect(formatTable([])).toBe('')
  })
})
