import { describe, expect, it } from 'vitest'
import { expectHeap } from '../../../src/cli/processes/expect-heap.ts'
import { runCli } from '../../kit/cli-process.ts'

const gib = 2 ** 30

describe('expectHeap()', () => {
  it.each([
    { what: 'what fits', stateBytes: 2 * gib, heapBytes: 2 * gib },
    { what: 'what it usually is, in a small heap', stateBytes: 134_217_728, heapBytes: 50_000_000 },
    { what: 'what nobody has said', stateBytes: undefined, heapBytes: 50_000_000 },
  ])('allows $what', ({ stateBytes, heapBytes }) => {
    expect(() => expectHeap(stateBytes, heapBytes)).not.toThrow()
  })

  it('refuses more than the heap may hold', () => {
    expect(() => expectHeap(5 * gib, 4 * gib)).toThrow(
      'Cannot use --limit stateBytes=5368709120: the heap of this process has 4294967296 bytes; start it with NODE_OPTIONS=--max-old-space-size=5376, or use less',
    )
  })

  it('is asked before anything starts', async () => {
    const { code, stderr } = await runCli(['--port', '0', '--limit', `stateBytes=${2 ** 40}`])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^petstore-sandbox: Cannot use --limit stateBytes=1099511627776: .*\n$/)
  })
})
