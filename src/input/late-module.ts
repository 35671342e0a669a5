/** A module that is loaded when it is first needed; what needs it again has it at once. */
export class LateModule<Module> {
  #given: Module | undefined
  /** Shared, so that those who wait for it go on in the order in which they came. */
  #coming: Promise<Module> | undefined
  readonly #load: () => Promise<Module>

  constructor(load: () => Promise<Module>) {
    this.#load = load
  }

  /** The module, if it is there. */
  get loaded(): Module | undefined {
    return this.#given
  }

  /** Gives it the module, where that is there from the start. */
  give(module: Module): void {
    this.#given = module
  }

  /** Loads the module; if that fails, the next call tries again. */
  load(): Promise<Module> {
    if (this.#given !== undefined) return Promise.resolve(this.#given)
    this.#coming ??= this.#loadNow()
    return this.#coming
  }

  #loadNow(): Promise<Module> {
    const coming = this.#load()
    // Right before those who wait go on, so that nobody who finds it there comes before them.
    coming.then(
      (module) => {
        this.#given = module
      },
      () => {
        this.#coming = undefined
      },
    )
    return coming
  }
}
