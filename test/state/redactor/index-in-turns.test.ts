import { describe, expect, it } from 'vitest'
import { indexInTurns } from '../../../src/state/redactor/index-in-turns.ts'
import { Redactor } from '../../../src/state/redactor/redactor.ts'

const keys = Array.from({ length: 5_000 }, (_, index) => `q${index}-ring`)

describe('indexInTurns()', () => {
  it('makes an index that hides each key, whole or cut', async () => {
    let turns = 0
    const index = await indexInTurns(keys, () => void turns++)
    const redactor = new Redactor(index)
    const text = keys.map((key) => `${key} ${key.slice(0, -1)}...`).join(',')
    const shown = redactor.hide(text)
    expect(keys.filter((key) => shown.includes(key.slice(0, -1)))).toEqual([])
    expect(turns).toBe(100)
  })

  it('makes none of few, which are as quickly added', async () => {
    expect(await indexInTurns(keys.slice(0, 1_000), () => undefined)).toEqual([])
  })
})
