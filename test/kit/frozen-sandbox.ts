import type { SandboxOptions } from '../../src/mock/state/beginning.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'

/** Where the clock of a {@link frozenSandbox} stands: the start of a minute and of a day. */
export const startAt = Date.UTC(2026, 0, 1)

/** Makes a sandbox whose clock stands at {@link startAt} until the test moves it. */
export function frozenSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ clock: { now: startAt, mode: 'frozen' }, ...options })
}
