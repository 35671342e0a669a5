import { useState } from 'preact/hooks'
import type { ConsoleClient } from './console-client.ts'
import { useConsole } from './console-context.ts'

/** Gives what calls a control of the sandbox from a button, and whether an answer is waited for. */
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
