import { type NewSandbox, newSandbox } from './control/http/process-controls.ts'
import { InputError, MissingError } from './input/input-error.ts'
import { object, optional, withDefault } from './input/object.ts'
import { type Given, readInput } from './input/schema.ts'
import { show } from './input/show.ts'
import { flag, whole } from './input/values.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'
import { type ReadSandboxOptions, type SandboxOptions, sandboxOptions } from './state/beginning.ts'

/** How many named sandboxes there may be when nothing else is asked for. */
export const defaultMaxSandboxes = 1_000

const poolOptions = object({
  /** How many there may be; 1,000 by default. */
  maxSandboxes: withDefault(whole(0, 1_000_000), defaultMaxSandboxes),
  /** Whether a name that is used for the first time makes a sandbox; it doesn't by default. */
  autoCreate: withDefault(flag, false),
  /** What a sandbox starts with, where it isn't told otherwise. */
  defaults: optional(sandboxOptions),
})

/** How named sandboxes are made. */
export type SandboxPoolOptions = Given<typeof poolOptions>

/** A sandbox, and the settings that it was made with. */
interface NamedSandbox {
  readonly sandbox: Sandbox
  readonly settings: ReadSandboxOptions
}

/** Sandboxes by name, each with its own everything. */
export class SandboxPool {
  readonly #sandboxes = new Map<string, NamedSandbox>()
  readonly #whenDeleted = new Set<(sandbox: Sandbox) => void>()
  readonly #most: number
  readonly #isAutoCreating: boolean
  readonly #defaults: ReadSandboxOptions

  /** @throws {@link InputError} for an option that can't be used. */
  constructor(options: SandboxPoolOptions = {}) {
    const { maxSandboxes, autoCreate, defaults } = readInput(poolOptions, options)
    this.#most = maxSandboxes
    this.#isAutoCreating = autoCreate
    this.#defaults = defaults ?? readInput(sandboxOptions, {})
  }

  names(): string[] {
    return [...this.#sandboxes.keys()]
  }

  /** Gives the sandbox of a name; `undefined` for none. */
  find(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name)?.sandbox
  }

  /**
   * Gives the sandbox of a name, a new one if new ones are made on first use.
   *
   * @throws {@link MissingError} when no sandbox has the name, {@link InputError} when none can be made.
   */
  get(name: string): Sandbox {
    const found = this.find(name)
    if (found !== undefined) return found
    if (this.#isAutoCreating) return this.create({ name }).sandbox
    throw new MissingError(
      `Cannot find sandbox ${show(name)}: no sandbox has this name; make it with POST /_sandbox/sandboxes, or start with --auto-create`,
    )
  }

  /**
   * Makes a sandbox.
   *
   * @throws {@link InputError} for a name that is taken or invalid, an invalid setting, or when the pool is full.
   */
  create(settings: NewSandbox = {}): { readonly name: string; readonly sandbox: Sandbox } {
    const { name = crypto.randomUUID().slice(0, 8), ...options } = readInput(newSandbox, settings)
    if (this.#sandboxes.has(name)) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: the name is taken; delete that one first, or use another name`,
        ['name'],
      )
    }
    if (this.#sandboxes.size >= this.#most) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: there are ${this.#most} already, the most there may be; delete one`,
      )
    }
    const sandbox = sandboxOf(this.#withDefaults(options))
    this.#sandboxes.set(name, { sandbox, settings: options })
    return { name, sandbox }
  }

  /** Gives the settings that a sandbox was made with, beyond the defaults of all, as JSON; none for an unknown name. */
  settingsOf(name: string): SandboxOptions {
    const named = this.#sandboxes.get(name)
    return named === undefined ? {} : sandboxOptions.write(named.settings)
  }

  /** Calls a listener with each sandbox that is deleted; returns what ends that. */
  onDelete(listener: (sandbox: Sandbox) => void): () => void {
    this.#whenDeleted.add(listener)
    return () => {
      this.#whenDeleted.delete(listener)
    }
  }

  /**
   * Forgets a sandbox; what waits for an answer gets it now.
   *
   * @throws {@link MissingError} when no sandbox has the name.
   */
  delete(name: string): void {
    const found = this.find(name)
    if (found === undefined) {
      throw new MissingError(`Cannot find sandbox ${show(name)}: no sandbox has this name`)
    }
    this.#sandboxes.delete(name)
    // Nobody can move its clock any more.
    found.reset()
    for (const listener of this.#whenDeleted) listener(found)
  }

  #withDefaults(options: ReadSandboxOptions): ReadSandboxOptions {
    const { seed, randomSeed, gaps, clock, rateLimit, journalSize } = this.#defaults
    return {
      seed: options.seed ?? seed,
      randomSeed: options.randomSeed ?? randomSeed,
      gaps: options.gaps ?? gaps,
      clock: options.clock ?? clock,
      rateLimit: options.rateLimit ?? rateLimit,
      journalSize: options.journalSize ?? journalSize,
    }
  }
}
