import { useEffect, useRef, useState } from 'preact/hooks'
import type { Asked, Question } from '../question.ts'

/** At most how often the same is asked, in milliseconds. */
const everyMs = 1_000

/** What is shown, and of which question. */
interface Shown<Answer> {
  readonly question: Question<Answer>
  readonly asked: Asked<Answer> | undefined
}

/**
 * Asks the sandbox for what no signal has: at once, if it wasn't asked ahead, and again while things change.
 *
 * @param question What is asked: the answer to another one is not shown.
 * @param changes Values on which the answer depends.
 */
export function useAsked<Answer>(
  question: Question<Answer>,
  changes: readonly unknown[],
): Asked<Answer> {
  const [shown, show] = useState<Shown<Answer>>(() => ({ question, asked: question.takeAhead() }))
  const known = shown.question === question ? shown.asked : undefined
  const turn = useRef({ askedAt: 0, isOver: false, isRefused: false })
  useEffect(() => {
    const askedAt = known === undefined ? Number.NEGATIVE_INFINITY : performance.now()
    const mine = { askedAt, isOver: false, isRefused: known?.isRefused ?? false }
    turn.current = mine
    return () => {
      mine.isOver = true
    }
  }, [question])
  useEffect(() => {
    const mine = turn.current
    if (mine.isRefused) return
    const ask = async (): Promise<void> => {
      mine.askedAt = performance.now()
      const asked = await question.ask()
      mine.isRefused = asked.isRefused ?? false
      if (!mine.isOver) show({ question, asked })
    }
    const timer = setTimeout(ask, Math.max(0, mine.askedAt + everyMs - performance.now()))
    return () => clearTimeout(timer)
  }, [question, ...changes])
  return known ?? {}
}
