import { describe, expect, it } from 'vitest'
import { judge, type Told } from '../kit/story.ts'

const getPet: Told = { url: '/v1/pets/1', replyHeaders: { deprecation: '@1764892800' } }

describe('what is said once', () => {
  it('is said once of each client, in whatever order they come', () => {
    const keys = ['free-key', 'pro-key', 'free-key', 'business-key', 'pro-key']
    const findings = judge(keys.map((key) => ({ ...getPet, key })))
    const said = findings.filter(({ rule }) => rule === 'deprecated-operation')
    expect(said.map(({ caller }) => caller)).toEqual([1, 2, 3])
  })
})
