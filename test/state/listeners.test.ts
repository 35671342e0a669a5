import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Listeners } from '../../src/state/listeners.ts'

describe('Listeners', () => {
  it('are told in the order in which they were added, until they end', () => {
    const listeners = new Listeners<number>()
    const heard: string[] = []
    const end = listeners.add((news) => heard.push(`one ${news}`))
    listeners.add((news) => heard.push(`other ${news}`))
    listeners.tell(1)
    end()
    listeners.tell(2)
    expect(heard).toEqual(['one 1', 'other 1', 'other 2'])
    expect(listeners.size).toBe(1)
  })

  it('harm nobody when one throws, which is reported', () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const listeners = new Listeners<number>()
    const failure = new Error('a listener that failed')
    const heard: number[] = []
    listeners.add(() => {
      throw failure
    })
    listeners.add((news) => heard.push(news))
    listeners.tell(1)
    expect([heard, report.mock.calls]).toEqual([[1], [[failure]]])
  })

  it('may end while they are told', () => {
    const listeners = new Listeners<number>()
    const heard: number[] = []
    const end = listeners.add((news) => {
      heard.push(news)
      end()
    })
    listeners.add((news) => {
      heard.push(news)
      endOther()
    })
    const endOther = listeners.add((news) => heard.push(news))
    listeners.tell(1)
    listeners.tell(2)
    expect(heard).toEqual([1, 1, 2])
  })
})
