import { type NewSandbox, newSandbox } from './control/http/process-controls.ts'
import { InputError, MissingError } from './input/input-error.ts'
import { object, optional, withDefault } from './input/object.ts'
import { definedOf } from './input/record.ts'
import { type Given, jsonPieces, readInput } from './input/schema.ts'
import { show } from './input/show.ts'
import { flag, whole } from './input/values.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'
import {
  type ReadSandboxOptions,
  type SharedSandboxOptions,
  sharedSandboxOptions,
} from './state/beginning.ts'
import { Listeners } from './state/listeners.ts'
import { memoryLimits } from './state/memory/limits.ts'
import { Memory } from './state/memory/memory.ts'
import { manyKeys } from './state/redactor/index-in-turns.ts'
import { Secrets } from './state/redactor/secrets.ts'

/** Maximum number of named sandboxes by default. */
export const defaultMaxSandboxes = 1_000

const poolOptions = object({
  /** How many there may be; 1,000 by default. */
  maxSandboxes: withDefault(whole(0, 1_000_000), defaultMaxSandboxes),
  /** Whether the first use of a name makes a sandbox; `false` by default. */
  autoCreate: withDefault(flag, false),
  /** The default options of its sandboxes. */
  defaults: optional(sharedSandboxOptions),
  /** How many bytes they may take in memory, all together. */
  limits: withDefault(memoryLimits, memoryLimits.read({})),
})

/** How a pool makes its sandboxes. */
export type SandboxPoolOptions = Given<typeof poolOptions>

/** A sandbox, and the options it was made with. */
interface NamedSandbox {
  readonly sandbox: Sandbox
  readonly settings: ReadSandboxOptions
}

/** Sandboxes by name, which share nothing but bounds of what they take in memory. */
export class SandboxPool {
  readonly #sandboxes = new Map<string, NamedSandbox>()
  readonly #whenCreated = new Listeners<Sandbox>()
  readonly #whenDeleted = new Listeners<Sandbox>()
  readonly #secrets = new Set<string>()
  readonly #max: number
  readonly #createsOnUse: boolean
  readonly #defaults: ReadSandboxOptions
  /** An index of the keys that its sandboxes begin with by default, if they are many. */
  readonly #index: readonly Secrets[]
  /** @internal For processes, whose default sandbox shares it too. */
  readonly memory: Memory

  /** @throws {@link InputError} for an invalid option. */
  constructor(options: SandboxPoolOptions = {}) {
    const { maxSandboxes, autoCreate, limits, defaults } = readInput(poolOptions, options)
    this.#max = maxSandboxes
    this.#createsOnUse = autoCreate
    this.memory = new Memory(limits)
    this.#defaults = defaults ?? readInput(sharedSandboxOptions, {})
    if (defaults?.seed?.pets !== undefined) this.memory.seeds.give(defaults.seed.pets)
    const keys = defaults?.seed?.keys ?? []
    this.#index = keys.length > manyKeys ? [new Secrets(keys.map(({ key }) => key))] : []
  }

  names(): string[] {
    return [...this.#sandboxes.keys()]
  }

  /** Returns the sandbox with a name, if any. */
  find(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name)?.sandbox
  }

  /**
   * Returns the sandbox with a name, or makes it if the pool does so on first use.
   *
   * @throws {@link MissingError} when there is none, {@link InputError} when it can't be made.
   */
  get(name: string): Sandbox {
    const found = this.find(name)
    if (found !== undefined) return found
    if (this.#createsOnUse) return this.create({ name }).sandbox
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
    return this.createWith(settings, [])
  }

  /**
   * Does what `create` does.
   *
   * @param index An index of the keys in the settings, if they are many.
   * @internal For processes, which make it bit by bit.
   */
  createWith(
    settings: NewSandbox,
    index: readonly Secrets[],
  ): { readonly name: string; readonly sandbox: Sandbox } {
    const { name = crypto.randomUUID().slice(0, 8), ...options } = readInput(newSandbox, settings)
    if (this.#sandboxes.has(name)) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: it exists already; delete it first, or use another name`,
        ['name'],
      )
    }
    if (this.#sandboxes.size >= this.#max) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: there are ${this.#max} already, the most allowed; delete one`,
      )
    }
    const all = { ...this.#defaults, ...definedOf(options) }
    const sandbox = this.#make(all, options.seed === undefined ? this.#index : index)
    for (const secret of this.#secrets) sandbox.keepSecret(secret)
    this.#sandboxes.set(name, { sandbox, settings: options })
    this.#whenCreated.tell(sandbox)
    return { name, sandbox }
  }

  /**
   * Makes a sandbox without a name, which is none of the pool's but for the memory.
   *
   * @internal For processes, whose default sandbox it is.
   */
  createUnnamed(): Sandbox {
    return this.#make(this.#defaults, this.#index)
  }

  #make(options: ReadSandboxOptions, index: readonly Secrets[]): Sandbox {
    const sandbox = sandboxOf(options, this.memory)
    sandbox.state().keys.hideBy(index)
    return sandbox
  }

  /** Returns the options that a sandbox was made with, without the pool's defaults, as JSON; `{}` if there is none. */
  settingsOf(name: string): SharedSandboxOptions {
    const named = this.#sandboxes.get(name)
    return named === undefined ? {} : sharedSandboxOptions.write(named.settings)
  }

  /**
   * Gives what `settingsOf()` returns as JSON text, in pieces that are made when they are asked for.
   *
   * @internal For what may be too large to be held.
   */
  settingsPieces(name: string): Iterable<string> {
    const named = this.#sandboxes.get(name)
    return named === undefined ? ['{}'] : jsonPieces(sharedSandboxOptions, named.settings)
  }

  /**
   * Hides a text in what all its sandboxes tell, those to come too.
   *
   * @internal For processes.
   */
  keepSecret(text: string): void {
    this.#secrets.add(text)
    for (const { sandbox } of this.#sandboxes.values()) sandbox.keepSecret(text)
  }

  /** Calls a listener with each named sandbox that is made; returns a function that ends this. What it throws is reported. */
  onCreate(listener: (sandbox: Sandbox) => void): () => void {
    return this.#whenCreated.add(listener)
  }

  /** Calls a listener with each sandbox that is deleted; returns a function that ends this. What it throws is reported. */
  onDelete(listener: (sandbox: Sandbox) => void): () => void {
    return this.#whenDeleted.add(listener)
  }

  /**
   * Deletes a sandbox; requests in progress end.
   *
   * @throws {@link MissingError} when no sandbox has the name.
   */
  delete(name: string): void {
    const found = this.find(name)
    if (found === undefined) {
      throw new MissingError(`Cannot find sandbox ${show(name)}: no sandbox has this name`)
    }
    this.#sandboxes.delete(name)
    // For what it began with, there may be no room any more among the others.
    found.shareMemory(new Memory({ stateBytes: Number.POSITIVE_INFINITY }))
    // Ends its waits, since nobody can move its clock any more.
    found.reset()
    this.#whenDeleted.tell(found)
  }
}
