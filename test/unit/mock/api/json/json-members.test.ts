import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../../../src/mock/api/json.ts'
import { Sometimes } from '../../../../kit/sometimes.ts'

describe('membersOf()', () => {
  it('lists the members of an object, in any layout', () => {
    const sometimes = new Sometimes('an object within', 'an escaped name')
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, indent) => {
        const members = membersOf(JSON.stringify(value, null, indent))
        expect(members.map(({ name }) => name)).toEqual(Object.keys(value))
        sometimes.meet({
          'an object within': members.some(({ literal }) => literal.startsWith('{')),
          'an escaped name': members.some(({ name }) => JSON.stringify(name) !== `"${name}"`),
        })
      }),
    )
    sometimes.expectAllMet()
  })

  it('gives numbers as they are written', () => {
    const text = '{"a":1.0,"b" : -1e3 ,"c":{"a":2},"a":[3],"d":"5", "e":\n7}'
    const numbers = membersOf(text).filter(({ literal }) => /^-?\d/.test(literal))
    expect(numbers).toEqual([
      { name: 'a', literal: '1.0' },
      { name: 'b', literal: '-1e3' },
      { name: 'e', literal: '7' },
    ])
  })

  it('lists a member that is given twice each time, however its name is escaped', () => {
    const names = membersOf('{"a":1,"b":"a","\\u0061":{"a":2}}').map(({ name }) => name)
    expect(names).toEqual(['a', 'b', 'a'])
  })

  it.each(['[]', '["a"]', '"a"', '1', '[{"a":1}]'])('finds no member in %s', (text) => {
    expect(membersOf(text)).toEqual([])
  })
})
