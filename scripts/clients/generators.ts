/** A generator of clients. */
export interface Generator {
  readonly name: string
  /** Its program, in `node_modules` of this folder. */
  readonly program: string
  /** Its arguments for a description and the folder of its output. */
  readonly args: (description: string, output: string) => readonly string[]
  /** Files of the output that lead to all others; some generators report success and write none. */
  readonly entries: readonly string[]
  /** The one of them that exports functions that make up replies. */
  readonly mocks?: string
}

const orval = 'orval/dist/bin/orval.mjs'

/** The generators of clients that have to understand our descriptions. */
export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    program: 'openapi-typescript/bin/cli.js',
    args: (description, output) => [description, '--output', `${output}/schema.ts`],
    entries: ['schema.ts'],
  },
  {
    name: 'hey-api',
    program: '@hey-api/openapi-ts/bin/run.js',
    args: (description, output) => [
      ...['--input', description, '--output', output, '--no-log-file', '--plugins'],
      ...['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', 'zod'],
    ],
    entries: ['index.ts', 'sdk.gen.ts', 'zod.gen.ts'],
  },
  {
    name: 'orval',
    program: orval,
    args: (description, output) => [
      ...['--input', description, '--output', `${output}/client.ts`, '--client', 'fetch'],
      // In one file it forgets the imports of the mocks.
      ...['--mode', 'split', '--mock', '--fail-on-warnings'],
    ],
    entries: ['client.ts', 'client.msw.ts', 'client.faker.ts'],
    mocks: 'client.faker.ts',
  },
  {
    name: 'orval-zod',
    program: orval,
    args: (description, output) => [
      ...['--input', description, '--output', `${output}/zod.ts`, '--client', 'zod'],
      '--fail-on-warnings',
    ],
    entries: ['zod.ts'],
  },
]
