import { describe, expect, it } from 'vitest'
import { expectHeap } from '../../../src/cli/processes/expect-heap.ts'
import { runCli } from '../../kit/cli-process.ts'

const gib = 2 ** 30

/** What a process needs beside the states. */
const beside = 2 ** 27

/** Why a heap is refused; nothing if it isn't. */
function refusalOf(stateBytes: number, heapBytes: number): string {
  try {
    expectHeap(stateBytes, heapBytes)
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('expectHeap()', () => {
  it.each([
    { what: 'what fits', stateBytes: 2 * gib, heapBytes: 2 * gib + beside },
    { what: 'what it usually is, in a small heap', stateBytes: 134_217_728, heapBytes: 50_000_000 },
    { what: 'what nobody has said', stateBytes: undefined, heapBytes: 50_000_000 },
  ])('allows $what', ({ stateBytes, heapBytes }) => {
    expect(() => expectHeap(stateBytes, heapBytes)).not.toThrow()
  })

  it('refuses what leaves the heap no room for all else', () => {
    expect(() => expectHeap(5 * gib, 5 * gib + beside - 1)).toThrow(
      'Cannot use --limit stateBytes=5368709120: the heap of this process has 5502926847 bytes, and this takes 5502926848; start it with NODE_OPTIONS=--max-old-space-size=5248, or use less',
    )
  })

  it.each([{ stateBytes: 2 ** 27 + 1 }, { stateBytes: 2_000_000_000 }, { stateBytes: 2 ** 40 }])(
    'says how large a heap allows $stateBytes bytes, and no more',
    ({ stateBytes }) => {
      const said = /--max-old-space-size=(\d+)/.exec(refusalOf(stateBytes, 0))?.[1]
      const heapBytes = Number(said) * 2 ** 20
      expect(refusalOf(stateBytes, heapBytes)).toBe('')
      expect(refusalOf(stateBytes, heapBytes - 2 ** 20)).toContain('Cannot use')
    },
  )

  it('is asked before anything starts', async () => {
    const { code, stderr } = await runCli(['--port', '0', '--limit', `stateBytes=${2 ** 40}`])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^petstore-sandbox: Cannot use --limit stateBytes=1099511627776: .*\n$/)
  })
})
