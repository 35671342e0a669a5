/** A block for a project's own file for coding agents, between comments, so that it can be found and replaced. */
export const agentsBlock = `<!-- petstore-sandbox -->
## petstore-sandbox

Clients of the pet store API are written and tested against petstore-sandbox, a local store with the API's errors, rate
limits, bans and headers. Read \`node_modules/petstore-sandbox/AGENTS.md\` first: it says which document answers what.

- Run tests beside a sandbox: \`npx petstore-sandbox exec -- npm test\`. They ask \`$PETSTORE_URL\` with \`$PETSTORE_KEY\`.
- Judge the client: \`npx petstore-sandbox exec --audit -- npm test\`. Exit code 4 means that it broke a rule.
- Don't mock \`fetch\`. Don't sleep: \`npx petstore-sandbox clock advance 1m\`.
<!-- /petstore-sandbox -->
`
