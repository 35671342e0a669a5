import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Copies of the package as it is built: whole, and without the console's files. */
export interface CopiedPackages extends AsyncDisposable {
  readonly whole: string
  readonly withoutConsole: string
}

/** Copies the package twice, into folders that go in the end. */
export async function copyPackages(): Promise<CopiedPackages> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-start-'))
  const copies = { whole: join(folder, 'whole'), withoutConsole: join(folder, 'without') }
  for (const copy of Object.values(copies)) {
    for (const part of ['bin', 'dist', 'package.json']) {
      await cp(join(root, part), join(copy, part), { recursive: true })
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  }
  await rm(join(copies.withoutConsole, 'dist/console'), { recursive: true })
  return {
    ...copies,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
