import { useEffect, useRef, useState } from 'preact/hooks'

const everyMs = 250

/** Gives a value at most four times a second, for what takes long to draw. */
export function useCalm<Value>(value: Value): Value {
  const [calm, setCalm] = useState(value)
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        shownAt.current = performance.now()
        setCalm(() => value)
      },
      Math.max(0, shownAt.current + everyMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [value])
  return calm
}
