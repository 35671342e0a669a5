import type { SandboxOptions } from '../../src/mock/state/beginning.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'

/** Where the clock of a {@link frozenSandbox} stands: the start of a minute and of a day. */
export const startAt = Date.UTC(2026, 0, 1)

const optionsBySandbox = new WeakMap<Sandbox, SandboxOptions>()

/** Makes a sandbox whose clock stands at {@link startAt} until the test moves it. */
export function frozenSandbox(options: SandboxOptions = {}): Sandbox {
  const all: SandboxOptions = { clock: { now: startAt, mode: 'frozen' }, ...options }
  const sandbox = createSandbox(all)
  optionsBySandbox.set(sandbox, all)
  return sandbox
}

/**
 * Gives the options that a {@link frozenSandbox} was made with, so that its like can be made elsewhere.
 *
 * @throws Error for any other sandbox.
 */
export function optionsOf(sandbox: Sandbox): SandboxOptions {
  const options = optionsBySandbox.get(sandbox)
  if (options !== undefined) return options
  throw new Error(
    'Cannot make this sandbox elsewhere: its options are unknown; use frozenSandbox()',
  )
}
