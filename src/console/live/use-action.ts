import { useState } from 'preact/hooks'
import type { ConsoleClient } from './console-client.ts'
import { useConsole } from './console-context.ts'

/** Calls a control of the sandbox, and tells what became of it. */
export interface Action {
  /** Whether an answer is waited for. */
  readonly isBusy: boolean
  /**
   * Calls a control, and shows what has changed; a refusal is shown as a notice, and resolves to `false`.
   *
   * @param done What to say when it is done; nothing by default.
   */
  run(call: (client: ConsoleClient) => Promise<unknown>, done?: string): Promise<boolean>
}

/** Gives what calls a control of the sandbox from a button or a form. */
export function useAction(): Action {
  const { client, store, notices } = useConsole()
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    async run(call, done) {
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
