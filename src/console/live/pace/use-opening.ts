import { useLayoutEffect, useState } from 'preact/hooks'
import type { LiveStore } from '../live-store.ts'

/** How long the page waits for its first answers before it shows itself without them, in milliseconds. */
const patienceMs = 100

/** Whether it is time to show the page: drawn once with the first answers, it is half the work of twice. */
export function useOpening({ status, problem }: LiveStore): boolean {
  const [isOpen, open] = useState(false)
  useLayoutEffect(() => {
    const timer = setTimeout(() => open(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isOpen || status.value !== undefined || problem.value !== undefined
}
