import type {} from 'yargs'

declare module 'yargs' {
  /** Methods of yargs that its types leave out. */
  interface Argv<T> {
    getOptions(): {
      choices: Record<string, readonly unknown[]>
      readonly key: object
      readonly boolean: readonly string[]
    }
    usageConfiguration(settings: { 'hide-types': boolean }): this
    getGroups(): Readonly<Record<string, readonly string[]>>
    getInternalMethods(): {
      getContext(): { readonly commands: readonly string[] }
      getCommandInstance(): {
        getCommandHandlers(): Readonly<
          Record<
            string,
            {
              readonly original: string
              readonly description: string | false
              readonly builder: object | ((yargs: Argv) => unknown)
            }
          >
        >
      }
    }
  }
}
