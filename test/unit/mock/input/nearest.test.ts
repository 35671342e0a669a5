import { describe, expect, it } from 'vitest'
import { nearest } from '../../../../src/mock/input/nearest.ts'

const names = ['port', 'port-file', 'pets', 'log', 'gap', 'seed-file', 'constructor']

describe('nearest()', () => {
  it.each([
    { word: 'prot', name: 'port' },
    { word: 'portfile', name: 'port-file' },
    { word: 'seed-fiel', name: 'seed-file' },
    { word: 'constructr', name: 'constructor' },
    { word: 'LOG', name: 'log' },
    { word: 'Portfile', name: 'port-file' },
    { word: 'json', name: undefined },
    { word: 'a'.repeat(1_000), name: undefined },
    { word: 'frobnicate', name: undefined },
    { word: '', name: undefined },
    { word: '-', name: undefined },
  ])('takes $word for $name', ({ word, name }) => {
    expect(nearest(word, names)).toBe(name)
  })
})
