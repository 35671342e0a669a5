import yargs from 'yargs'

/**
 * Asks yargs which of some names a misspelt word was perhaps meant to be. It takes any word of three letters for any
 * other, so only names with the same first letter are asked about.
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const alike = names.filter((name) => name[0] === word[0])
  let found: string | undefined
  yargs([word])
    .command(alike.map((command) => ({ command, handler() {} })))
    .recommendCommands()
    .updateStrings({ 'Did you mean %s?': '%s' })
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail((name) => {
      found = name
    })
    .parseSync()
  return found
}
