import { describe, expect, it } from 'vitest'
import { LateModule } from '../../src/input/late-module.ts'

describe('LateModule', () => {
  it('is loaded once, when it is first needed', async () => {
    let loads = 0
    const late = new LateModule(async () => ({ name: `load ${++loads}` }))
    expect(loads).toBe(0)
    expect(late.loaded).toBeUndefined()
    const [one, other] = await Promise.all([late.load(), late.load()])
    expect(one).toEqual({ name: 'load 1' })
    expect(other).toBe(one)
    expect(await late.load()).toBe(one)
    expect(late.loaded).toBe(one)
  })

  it('lets those who wait go on in the order in which they came', async () => {
    let resolve = (_module: string): void => {}
    const promise = new Promise<string>((settle) => {
      resolve = settle
    })
    const late = new LateModule(() => promise)
    const went: string[] = []
    const all = ['first', 'second', 'third'].map(async (name) => {
      await late.load()
      went.push(name)
    })
    expect(went).toEqual([])
    resolve('module')
    await Promise.all(all)
    expect(went).toEqual(['first', 'second', 'third'])
  })

  it('tries again after a failure', async () => {
    const answers = [() => Promise.reject(new Error('offline')), async () => 'module']
    const late = new LateModule<string>(async () => (await answers.shift()?.()) ?? 'none')
    await expect(late.load()).rejects.toThrow('offline')
    expect(late.loaded).toBeUndefined()
    expect(await late.load()).toBe('module')
  })

  it('loads nothing where it is given', async () => {
    const late = new LateModule<string>(() => Promise.reject(new Error('loaded')))
    late.give('given')
    expect(late.loaded).toBe('given')
    expect(await late.load()).toBe('given')
  })
})
