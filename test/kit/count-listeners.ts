import type { RunningServer } from '../../src/server/start-server.ts'
import { isRemote, type Listeners } from './remote-server.ts'

/** Counts from now on who listens to the journal of a server's sandbox; gives what tells the count. */
export async function countListeners(server: RunningServer): Promise<() => Promise<Listeners>> {
  if (isRemote(server)) return await server.countListeners()
  const { journal } = server.sandbox
  const { subscribe } = journal
  const count = { begun: 0, ended: 0 }
  Object.assign(journal, {
    subscribe(listener: Parameters<typeof subscribe>[0]) {
      count.begun++
      const end = subscribe(listener)
      return () => {
        count.ended++
        end()
      }
    },
  })
  return async () => ({ ...count })
}
