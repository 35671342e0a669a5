/** A module that is loaded when it is first needed; what needs it again has it at once. */
export class LateModule<Module> {
  #loaded: Module | undefined
  readonly #load: () => Promise<Module>

  constructor(load: () => Promise<Module>) {
    this.#load = load
  }

  async load(): Promise<Module> {
    this.#loaded ??= await this.#load()
    return this.#loaded
  }
}
