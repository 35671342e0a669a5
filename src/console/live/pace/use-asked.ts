import { useEffect, useRef, useState } from 'preact/hooks'
import { InputError } from '../../../input/input-error.ts'
import type { ConsoleClient } from '../console-client.ts'
import { useConsole } from '../console-context.ts'

/** What the sandbox answered last, or why it could not. */
export interface Asked<Answer> {
  readonly answer?: Answer
  readonly problem?: string
}

/** At most how often the same is asked, in milliseconds. */
const everyMs = 1_000

/**
 * Asks the sandbox for what no signal has: at once, and again while things change.
 *
 * @param question What is asked, in a word: the answer to another one is not shown.
 * @param changes Values on which the answer depends.
 */
export function useAsked<Answer>(
  question: string,
  ask: (client: ConsoleClient) => Promise<Answer>,
  changes: readonly unknown[],
): Asked<Answer> {
  const { client } = useConsole()
  const [asked, setAsked] = useState<Asked<Answer> & { readonly question?: string }>({})
  const turn = useRef({ askedAt: 0, isOver: false, isRefused: false })
  useEffect(() => {
    const mine = { askedAt: Number.NEGATIVE_INFINITY, isOver: false, isRefused: false }
    turn.current = mine
    return () => {
      mine.isOver = true
    }
  }, [client, question])
  useEffect(() => {
    const mine = turn.current
    if (mine.isRefused) return
    const timer = setTimeout(
      () => {
        mine.askedAt = performance.now()
        ask(client).then(
          (answer) => mine.isOver || setAsked({ question, answer }),
          (error: unknown) => {
            // What is refused once stays so, such as coverage that is off.
            mine.isRefused = error instanceof InputError
            if (!mine.isOver) setAsked({ question, problem: messageOf(error) })
          },
        )
      },
      Math.max(0, mine.askedAt + everyMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [client, question, ...changes])
  return asked.question === question ? asked : {}
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
