import { basePath } from '../../mock/api/endpoints.ts'
import { openApiDocument } from '../../mock/api/openapi.ts'
import { defaultUrl } from '../options.ts'
import type { Command } from '../yargs-options.ts'

export const openapi: Command = {
  command: 'openapi',
  describe: 'Print the description of the API in OpenAPI 3.1',
  builder: (yargs) => yargs.epilogue('It has no --json: what it prints is JSON.'),
  async handler() {
    // An absolute address, since a relative one has no base in a saved file.
    const document = await openApiDocument(`${defaultUrl}${basePath}`)
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
  },
}
