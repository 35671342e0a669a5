import { object, optional } from '../../input/object.ts'
import { type Given, named, type Schema } from '../../input/schema.ts'
import { string, text } from '../../input/values.ts'
import { sharedSandboxOptions } from '../../state/beginning.ts'

/** The name of a sandbox. */
export const sandboxName: Schema<string> = text({
  use: '1 to 63 letters, digits, - and _, a letter or digit first',
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
})

/** A named sandbox to make. */
export const newSandbox = object(
  { name: optional(sandboxName), ...sharedSandboxOptions.properties },
  { title: 'sandbox' },
)

/** A new named sandbox; without a name it gets a random one. */
export type NewSandbox = Given<typeof newSandbox>

/** Where a named sandbox is served. */
export const sandboxView = named(
  'Sandbox',
  object({ name: string, baseUrl: string, controlUrl: string }, { unknown: 'ignore' }),
)

export type SandboxView = Given<typeof sandboxView>

/** What can be done to a process beyond its sandbox. */
export interface ProcessControls {
  readonly sandboxes: {
    list(): SandboxView[]
    /**
     * @throws {@link InputError} for a name that is taken, or when there are as many as there may be.
     */
    create(settings?: NewSandbox): SandboxView
    /** @throws {@link MissingError} when no sandbox has the name. */
    delete(name: string): void
  }
  /**
   * Writes the state of all sandboxes to the file of `--state`.
   *
   * @throws {@link InputError} when the process has none, {@link ApiError} when it can't be written.
   */
  save(): void | Promise<void>
}
