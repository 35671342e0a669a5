import { render } from 'preact'
import { afterEach, describe, expect, it } from 'vitest'
import { LiveStore } from '../../../src/console/live/live-store.ts'
import { useAsked } from '../../../src/console/live/pace/use-asked.ts'
import { Question } from '../../../src/console/live/question.ts'
import { InputError } from '../../../src/input/input-error.ts'
import { playedClient } from './console-scene.tsx'

/** The machine may be busy. */
const patient = { timeout: 10_000 }

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  render(null, document.body)
  Reflect.deleteProperty(document, 'visibilityState')
})

/** A store, and what it has asked so far. */
function stage() {
  const asked: string[] = []
  const store = new LiveStore(playedClient(asked, () => asked.push('follow')))
  const begin = (...given: Parameters<LiveStore['start']>): void => {
    stops.push(store.start(...given))
  }
  return { store, asked, begin }
}

describe('LiveStore', () => {
  it('asks for no more than is shown first, before that is painted', async () => {
    const { store, asked, begin } = stage()
    begin()
    await expect.poll(() => store.status.value, patient).not.toBe(undefined)
    const before = await new Promise<readonly string[]>((resolve) => {
      requestAnimationFrame(() => resolve([...asked]))
    })
    expect(before).toEqual(['status', 'entries'])
    await expect.poll(() => asked, patient).toContain('latest')
    expect(asked.slice(0, 3)).toEqual(['status', 'entries', 'follow'])
  })

  it('asks for what the screen of the address shows', async () => {
    const { store, asked, begin } = stage()
    begin((one) => one.refresh())
    await expect.poll(() => asked, patient).toContain('follow')
    const first = asked.slice(0, asked.indexOf('follow'))
    expect(first.toSorted()).toEqual(['faults', 'gaps', 'keys', 'status', 'status'])
    expect(store.gaps.value).not.toBe(undefined)
  })

  it('goes on in a page that nobody sees, which is never painted', async () => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    const { asked, begin } = stage()
    begin()
    await expect.poll(() => asked, patient).toContain('follow')
  })
})

describe('useAsked()', () => {
  /** Each text that is shown, in turn. */
  function show(question: Question<string>): string[] {
    const shown: string[] = []
    function View() {
      const { answer, problem } = useAsked(question, [])
      shown.push(answer ?? problem ?? 'nothing')
      return null
    }
    render(<View />, document.body)
    return shown
  }

  it('shows at once what was asked ahead', async () => {
    let count = 0
    const question = new Question(async () => `answer ${++count}`)
    await question.askAhead()
    expect(show(question)[0]).toBe('answer 1')
  })

  it('asks for what was not, and again when it is shown again', async () => {
    let count = 0
    const question = new Question(async () => `answer ${++count}`)
    const shown = show(question)
    expect(shown).toEqual(['nothing'])
    await expect.poll(() => shown.at(-1), patient).toBe('answer 1')
    render(null, document.body)
    const later = show(question)
    expect(later).toEqual(['nothing'])
    await expect.poll(() => later.at(-1), patient).toBe('answer 2')
  })

  it('says why there is no answer', async () => {
    const question = new Question<string>(async () => {
      throw new InputError('Cannot count: it is off')
    })
    await question.askAhead()
    expect(show(question)[0]).toBe('Cannot count: it is off')
  })
})
