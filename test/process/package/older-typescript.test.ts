import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consumers } from '../../../scripts/matrix/consumers.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The oldest that docs/about/versions.md promises; as in 5.6, `Uint8Array` is not generic in it. */
const compiler = join(root, 'node_modules/typescript-5.5/bin/tsc')

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-types-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Compiles files, and all declarations that they lead to; gives the errors that aren't of packages beside ours. */
async function errorsIn(files: readonly string[]): Promise<string[]> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    resolveJsonModule: true,
    esModuleInterop: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder], {
    cwd: root,
  }).catch((error: { readonly stdout: string }) => {
    // The compiler itself is missing, or has crashed: its errors come on the standard output.
    if (error.stdout === '') throw error
    return error
  })
  const errors = stdout.split(/\n(?! )/).filter((line) => line !== '')
  return errors.filter((error) => !error.startsWith('node_modules/'))
}

describe('with TypeScript 5.5', () => {
  // A compiler in JavaScript: on a busy machine it takes minutes.
  it('the types of all entries compile', { timeout: 600_000 }, async () => {
    const files = consumers.map((name) =>
      join(root, 'test/nightly/package/consumers', `${name}.ts`),
    )
    expect(await errorsIn(files)).toEqual([])
  })

  it('S15: an error names all kinds of fault, and types by their names', {
    timeout: 600_000,
  }, async () => {
    const file = join(folder, 'mistakes.mts')
    writeFileSync(
      file,
      `import { createSandbox } from 'petstore-sandbox'
const { faults, keys, requests } = createSandbox()
faults.add({ fault: 'laency' })
const found: [number, number] = [requests.last(), keys.update]
`,
    )
    const errors = (await errorsIn([file])).join('\n')
    expect(errors).toContain(`not assignable to type '"disconnect" | "status" | "timeout"`)
    expect(errors).toContain("'RequestView | undefined'")
    expect(errors).toContain("'(key: string, change: KeyChange) => KeyView'")
  })
})
