import { MissingError } from './control/controls/missing-error.ts'
import { checkOptions, InputError, parseWhole, show } from './input/input-error.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** How many named sandboxes there may be when nothing else is asked for. */
export const defaultMaxSandboxes = 1_000

/** How named sandboxes are made. */
export interface SandboxPoolOptions {
  /** How many there may be; 1,000 by default. */
  readonly maxSandboxes?: number
  /** Whether a name that is used for the first time makes a sandbox; it doesn't by default. */
  readonly autoCreate?: boolean
  /** What a sandbox starts with, where it isn't told otherwise. */
  readonly defaults?: SandboxOptions
}

/** A new named sandbox; without a name it gets a random one. */
export interface NewSandbox extends SandboxOptions {
  readonly name?: string
}

/** A sandbox, and what it was made with. */
interface NamedSandbox {
  readonly sandbox: Sandbox
  readonly settings: SandboxOptions
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

const poolOptionNames = ['maxSandboxes', 'autoCreate', 'defaults']

/** Sandboxes by name, each with its own everything. */
export class SandboxPool {
  readonly #sandboxes = new Map<string, NamedSandbox>()
  readonly #whenDeleted = new Set<(sandbox: Sandbox) => void>()
  readonly #most: number
  readonly #isAutoCreating: boolean
  readonly #defaults: SandboxOptions

  /** @throws {@link InputError} for an option that can't be used. */
  constructor(options: SandboxPoolOptions = {}) {
    checkOptions(options, poolOptionNames, 'keep named sandboxes')
    this.#most = parseWhole(
      options.maxSandboxes ?? defaultMaxSandboxes,
      0,
      1_000_000,
      'maxSandboxes',
    )
    const { autoCreate = false } = options
    if (typeof autoCreate !== 'boolean') {
      throw new InputError(`Cannot set autoCreate: found ${show(autoCreate)}; use true or false`)
    }
    this.#isAutoCreating = autoCreate
    this.#defaults = options.defaults ?? {}
  }

  names(): string[] {
    return [...this.#sandboxes.keys()]
  }

  /**
   * Gives the sandbox of a name, a new one if new ones are made on first use.
   *
   * @throws {@link MissingError} when there is none, {@link InputError} when there can't be one.
   */
  get(name: string): Sandbox {
    const found = this.#sandboxes.get(name)
    if (found !== undefined) return found.sandbox
    if (this.#isAutoCreating) return this.create({ name }).sandbox
    throw new MissingError(
      `Cannot find sandbox ${show(name)}: there is none; make it with POST /_sandbox/sandboxes, or start with --auto-create`,
    )
  }

  /**
   * Makes a sandbox.
   *
   * @throws {@link InputError} for a name that is taken or none, a setting that can't be used, or one too many.
   */
  create(settings: NewSandbox = {}): { readonly name: string; readonly sandbox: Sandbox } {
    checkOptions(
      settings,
      ['name', 'seed', 'randomSeed', 'gaps', 'clock', 'rateLimit', 'journalSize'],
      'make a sandbox',
    )
    const { name = crypto.randomUUID().slice(0, 8), ...options } = settings
    if (typeof name !== 'string' || !namePattern.test(name)) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: a name has 1 to 63 letters, digits, - and _, a letter or digit first`,
      )
    }
    if (this.#sandboxes.has(name)) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: there is one; delete it first, or use another name`,
      )
    }
    if (this.#sandboxes.size >= this.#most) {
      throw new InputError(
        `Cannot make sandbox ${show(name)}: there are ${this.#most}, and may be no more; delete one`,
      )
    }
    const sandbox = createSandbox({ ...this.#defaults, ...options })
    this.#sandboxes.set(name, { sandbox, settings: structuredClone(options) })
    return { name, sandbox }
  }

  /** Gives the settings that a sandbox was made with, beyond the defaults of all; none where there is no sandbox. */
  settingsOf(name: string): SandboxOptions {
    return structuredClone(this.#sandboxes.get(name)?.settings ?? {})
  }

  /** Calls a listener with each sandbox that is deleted; returns what ends that. */
  onDelete(listener: (sandbox: Sandbox) => void): () => void {
    this.#whenDeleted.add(listener)
    return () => {
      this.#whenDeleted.delete(listener)
    }
  }

  /**
   * Forgets a sandbox; requests under way end.
   *
   * @throws {@link MissingError} when there is none.
   */
  delete(name: string): void {
    const found = this.#sandboxes.get(name)
    if (found === undefined) {
      throw new MissingError(`Cannot find sandbox ${show(name)}: there is none`)
    }
    this.#sandboxes.delete(name)
    // Nobody can move its clock any more.
    found.sandbox.reset()
    for (const listener of this.#whenDeleted) listener(found.sandbox)
  }
}
