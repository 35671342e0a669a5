/** What is measured: folders of `src/`, and the files that put them together. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  input: ['src/input/**/*.ts'],
  contract: ['src/contract/**/*.ts'],
  faults: ['src/faults/**/*.ts'],
  state: ['src/state/**/*.ts'],
  engine: ['src/engine/**/*.ts'],
  control: ['src/control/**/*.ts'],
  sandbox: ['src/sandbox*.ts'],
  audit: ['src/audit/**/*.ts'],
  coverage: ['src/coverage/**/*.ts'],
  explore: ['src/explore/**/*.ts'],
  client: ['src/client/**/*.ts'],
}

/** The tests that a mutant is shown: quick ones, which need no build, process or browser. */
export const coreTests: readonly string[] = [
  'input',
  'contract',
  'state',
  'faults',
  'engine',
  'control',
  'gaps',
  'laws',
  'sandbox',
  'conformance',
  'audit',
  'coverage',
  'explore',
  'client',
].flatMap((name) => [`test/${name}/**/*.test.ts`, `test/${name}*.test.ts`])

/** Those of the same folders that need a build, a process or a browser, or wait for many connections. */
export const otherTests: readonly string[] = [
  'test/audit/clients.test.ts',
  'test/audit/polite-http.test.ts',
  'test/audit/polite-playwright.test.ts',
  'test/audit/rude-http.test.ts',
  'test/coverage/fragments.test.ts',
]

/** Those that take seconds; they are shown only the mutants of the file or folder that they are about. */
export const slowTests: readonly string[] = [
  'test/contract/json/json.test.ts',
  'test/contract/int64.test.ts',
  'test/contract/openapi/openapi.test.ts',
  'test/control/snapshot.test.ts',
  'test/control/http/control-document.test.ts',
  'test/input/every-schema.test.ts',
  'test/laws.test.ts',
  'test/laws/model.test.ts',
  'test/laws/quota.test.ts',
  'test/sandbox-pool.test.ts',
]
