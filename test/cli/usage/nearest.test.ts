import { describe, expect, it } from 'vitest'
import { nearest } from '../../../src/cli/usage/nearest.ts'

const names = ['port', 'port-file', 'pets', 'log', 'gap', 'seed-file', 'constructor']

describe('nearest()', () => {
  it.each([
    { word: 'prot', name: 'port' },
    { word: 'portfile', name: 'port-file' },
    { word: 'lgo', name: 'log' },
    { word: 'seed-fiel', name: 'seed-file' },
    { word: 'constructr', name: 'constructor' },
    // It has another first letter than all that look like it.
    { word: 'json', name: undefined },
    { word: 'frobnicate', name: undefined },
    { word: '', name: undefined },
    { word: '__proto__', name: undefined },
    { word: '-', name: undefined },
    { word: 'a b', name: undefined },
  ])('takes $word for $name', ({ word, name }) => {
    expect(nearest(word, names)).toBe(name)
  })
})
