import type { Command } from '../yargs-options.ts'

/** Block for a project's own file for coding agents, between comments so that it can be found and replaced. */
export const agentsBlock = `<!-- petstore-sandbox -->
## petstore-sandbox

Clients of the pet store API are written and tested against petstore-sandbox, a local store with the API's errors, rate
limits, bans and headers. Read \`node_modules/petstore-sandbox/AGENTS.md\` first.

- Run tests beside a sandbox: \`npx petstore-sandbox exec -- npm test\`. They send requests to \`$PETSTORE_API_URL\` with
  \`$PETSTORE_KEY\`.
- Check the client: \`npx petstore-sandbox check -- npm test\`. Exit code 4 means that there is something to fix.
- Don't mock \`fetch\`. Don't sleep: \`npx petstore-sandbox clock advance 1m\`.
<!-- /petstore-sandbox -->
`

export const agents: Command = {
  command: 'agents',
  describe: 'Print a block for your AGENTS.md: agents >> AGENTS.md',
  builder: (yargs) => yargs.epilogue('It has no --json: the block is Markdown, for a file.'),
  handler() {
    process.stdout.write(agentsBlock)
  },
}
