import { InputError, NotFoundError, show } from '../mock/input/input-error.ts'
import { object, optional, withDefault } from '../mock/input/object.ts'
import { definedOf } from '../mock/input/record.ts'
import { type Input, type Output, readInput } from '../mock/input/schema.ts'
import { flag, integer } from '../mock/input/values.ts'
import { Listeners } from '../mock/log/listeners.ts'
import { type SharedLimits, SharedMemory, sharedLimits } from '../mock/log/shared-memory.ts'
import {
  type ReadSandboxOptions,
  type SharedSandboxOptions,
  sharedSandboxOptions,
} from '../mock/state/beginning.ts'
import { type NewSandbox, newSandbox } from './controls/sandboxes.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'

/** Maximum number of named sandboxes by default. */
export const defaultMaxSandboxes = 1_000

const poolOptions = object({
  /** Maximum number of named sandboxes; 1,000 by default. */
  maxSandboxes: withDefault(integer(0, 1_000_000), defaultMaxSandboxes),
  /** Whether the first use of a name creates a sandbox; `false` by default. */
  autoCreate: withDefault(flag, false),
  /** Default options of the sandboxes. */
  defaults: optional(sharedSandboxOptions),
  /** Memory limits that all sandboxes share, in bytes. */
  limits: withDefault<SharedLimits, Output<typeof sharedLimits>>(
    sharedLimits,
    sharedLimits.parse({}),
  ),
})

/** Options of a pool of sandboxes. */
export interface SandboxPoolOptions extends Input<typeof poolOptions> {}

/** A sandbox, and the options with which it was created. */
interface NamedSandbox {
  readonly sandbox: Sandbox
  readonly settings: ReadSandboxOptions
}

/** Sandboxes by name, which share nothing but memory limits. */
export class SandboxPool {
  readonly #sandboxes = new Map<string, NamedSandbox>()
  readonly #whenCreated = new Listeners<Sandbox>()
  readonly #whenDeleted = new Listeners<Sandbox>()
  readonly #secrets = new Set<string>()
  readonly #max: number
  readonly #createsOnUse: boolean
  readonly #defaults: ReadSandboxOptions
  /** @internal For servers, whose default sandbox shares it too. */
  readonly memory: SharedMemory

  /** @throws {@link InputError} for an invalid option. */
  constructor(options: SandboxPoolOptions = {}) {
    const { maxSandboxes, autoCreate, limits, defaults } = readInput(poolOptions, options)
    this.#max = maxSandboxes
    this.#createsOnUse = autoCreate
    this.memory = new SharedMemory(limits)
    this.#defaults = defaults ?? readInput(sharedSandboxOptions, {})
  }

  /** Returns the names of all sandboxes. */
  names(): string[] {
    return [...this.#sandboxes.keys()]
  }

  /** Returns the sandbox with a name; `undefined` if it doesn't exist. */
  find(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name)?.sandbox
  }

  /**
   * Returns the sandbox with a name; creates it first if `autoCreate` is on.
   *
   * @throws {@link NotFoundError} if no sandbox has the name, {@link InputError} if it can't be created.
   */
  getOrCreate(name: string): Sandbox {
    const found = this.find(name)
    if (found !== undefined) return found
    if (this.#createsOnUse) return this.create({ name }).sandbox
    throw new NotFoundError(
      `Cannot find sandbox ${show(name)}: no such sandbox; create it with POST /_sandbox/sandboxes, or start the server with --auto-create`,
    )
  }

  /**
   * Creates a sandbox.
   *
   * @throws {@link InputError} for a name that is taken or invalid, for an invalid setting, or if the pool is full.
   */
  create(settings: NewSandbox = {}): {
    /** Its name: the given one, or eight random characters. */
    readonly name: string
    /** The new sandbox. */
    readonly sandbox: Sandbox
  } {
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
    const sandbox = sandboxOf(all, this.memory)
    for (const secret of this.#secrets) sandbox.keepSecret(secret)
    this.#sandboxes.set(name, { sandbox, settings: options })
    this.#whenCreated.emit(sandbox)
    return { name, sandbox }
  }

  /**
   * Creates a sandbox outside the pool, which shares only the pool's defaults and memory limits.
   *
   * @internal For servers, as their default sandbox.
   */
  createUnnamed(): Sandbox {
    return sandboxOf(this.#defaults, this.memory)
  }

  /** Returns the options of a sandbox as JSON, without the pool's defaults; `{}` for an unknown name. */
  optionsOf(name: string): SharedSandboxOptions {
    const named = this.#sandboxes.get(name)
    return named === undefined ? {} : sharedSandboxOptions.encode(named.settings)
  }

  /**
   * Redacts a text in the output of all sandboxes, including later ones.
   *
   * @internal For servers.
   */
  keepSecret(text: string): void {
    this.#secrets.add(text)
    for (const { sandbox } of this.#sandboxes.values()) sandbox.keepSecret(text)
  }

  /** Calls a listener with each new named sandbox; returns a function that removes it. Errors in it are reported. */
  onCreate(listener: (sandbox: Sandbox) => void): () => void {
    return this.#whenCreated.add(listener)
  }

  /** Calls a listener with each deleted sandbox; returns a function that removes it. Errors in it are reported. */
  onDelete(listener: (sandbox: Sandbox) => void): () => void {
    return this.#whenDeleted.add(listener)
  }

  /**
   * Deletes a sandbox and ends its requests in progress.
   *
   * @throws {@link NotFoundError} if no sandbox has the name.
   */
  delete(name: string): void {
    const found = this.find(name)
    if (found === undefined) {
      throw new NotFoundError(`Cannot find sandbox ${show(name)}: no such sandbox`)
    }
    this.#sandboxes.delete(name)
    // Frees its share of the memory budgets.
    found.shareMemory(new SharedMemory())
    // Ends its waits, since its clock can't be moved any more.
    found.reset()
    this.#whenDeleted.emit(found)
  }
}
