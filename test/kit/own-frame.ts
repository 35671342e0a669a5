import { beforeAll } from 'vitest'
import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Resolves once the frame that Vitest clicks in is the one whose document has this id. */
    awaitFrame(id: string): Promise<void>
  }
}

// Vitest finds its frame by a name that the one of the file before has too: on a busy machine that may still be there.
beforeAll(async () => {
  const id = crypto.randomUUID()
  document.documentElement.id = id
  await commands.awaitFrame(id)
})
