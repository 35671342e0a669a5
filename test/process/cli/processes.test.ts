import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveCli, testFolder } from '../../kit/cli-process.ts'

const isPosix = process.platform !== 'win32'

/** Makes a folder with a program that stands in for what opens pages. */
function openerIn(script: string): string {
  const folder = testFolder()
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

describe.runIf(isPosix)('serve --open', () => {
  it('opens the console in the browser', async () => {
    const folder = openerIn('echo "$1" > "$0.txt"; echo "opened $1" >&2; exit 3')
    const { cli, url } = await serveCli(['--open'], { env: { PATH: `${folder}:/usr/bin:/bin` } })
    const [line] = await cli.printed(/.+\n/, 'stderr')
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
    expect(readFileSync(join(folder, `${opener}.txt`), 'utf8')).toBe(`${url}/_sandbox/ui/\n`)
    // The opener's own words go nowhere; that it failed is a line.
    expect(line).toBe(
      `petstore-sandbox: Cannot open ${url}/_sandbox/ui/: ${opener} ended with 3; open it by hand\n`,
    )
    expect(await cli.stop()).toMatchObject({ code: 0 })
  })

  it('serves on where nothing can open it', async () => {
    const { cli, url } = await serveCli(['--open'], { env: { PATH: testFolder() } })
    await cli.printed(/Cannot open .*: \S+ can't be started; open it by hand\n/, 'stderr')
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    expect(await cli.stop()).toMatchObject({ code: 0 })
  })
})
