import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { InputError } from '../../input/input-error.ts'
import type { ConsoleClient } from './console-client.ts'
import { useConsole } from './console-context.ts'
import { Throttle } from './throttle.ts'

/** What the sandbox answered last, or why it could not. */
interface Asked<Answer> {
  readonly answer?: Answer
  readonly problem?: string
  /** Whether it stays so, such as coverage that is off. */
  readonly isRefused?: boolean
}

/** At most how often the same is asked, in milliseconds. */
const everyMs = 1_000

/**
 * Asks the sandbox for what no signal has, and again when something changes.
 *
 * @param changes Values on which the answer depends.
 */
export function useAsked<Answer>(
  ask: (client: ConsoleClient) => Promise<Answer>,
  changes: readonly unknown[],
): Asked<Answer> {
  const { client } = useConsole()
  const [shown, show] = useState<Asked<Answer>>({})
  const question = useRef(ask)
  question.current = ask
  const throttle = useMemo(() => {
    return new Throttle(everyMs, async () => {
      try {
        show({ answer: await question.current(client) })
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        show({ problem, isRefused: error instanceof InputError })
      }
    })
  }, [client])
  useEffect(() => () => throttle.stop(), [throttle])
  useEffect(() => {
    if (!shown.isRefused) throttle.soon()
  }, [throttle, ...changes])
  return shown
}

/** Returns what calls a control of the sandbox from a button, and whether an answer is waited for. */
export function useAction() {
  const { client, store, notices } = useConsole()
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    /**
     * Calls a control, and shows what has changed; a refusal is shown as a notice, and resolves to `false`.
     *
     * @param done What to say when it is done; nothing by default.
     */
    async run(call: (client: ConsoleClient) => Promise<unknown>, done?: string): Promise<boolean> {
      setBusy(true)
      try {
        await call(client)
        if (done !== undefined) notices.add('done', done)
        return true
      } catch (error) {
        notices.add('error', error instanceof Error ? error.message : String(error))
        return false
      } finally {
        setBusy(false)
        void store.refresh()
      }
    },
  }
}
