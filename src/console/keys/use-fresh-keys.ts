import { effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { nextChangeAt } from './key-text.ts'

/** Asks for the keys anew when time alone has changed one. */
export function useFreshKeys(): void {
  const { store } = useConsole()
  useEffect(() => {
    let dueAt = Number.POSITIVE_INFINITY
    const stopKeys = effect(() => {
      const keys = store.keys.value
      const now = store.time.now.peek() ?? 0
      dueAt = Math.min(...keys.map((key) => nextChangeAt(key, now)))
    })
    const stopTime = effect(() => {
      if ((store.time.now.value ?? 0) < dueAt) return
      // Until the answer is there.
      dueAt = Number.POSITIVE_INFINITY
      void store.refresh()
    })
    return () => {
      stopKeys()
      stopTime()
    }
  }, [store])
}
