import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askFor } from '../../../src/checks/calibrate/ask-for.ts'
import { gapNames } from '../../../src/mock/spec/gaps.ts'

const addresses = [
  'https://api.test/$(touch$IFS$HOME/pwned)/v1',
  'https://api.test/`touch$IFS$HOME/pwned`/v1',
  "https://api.test/';touch$IFS$HOME/pwned;'/v1",
  'https://api.test/";touch$IFS$HOME/pwned;"/v1',
  'https://api.test/\ntouch $HOME/pwned\n/v1',
  'https://api.test/$API_KEY/v1',
]

describe('askFor()', () => {
  it.each(addresses)(
    'runs nothing of the address %j, and sends no key in it (issue 37)',
    (address) => {
      const home = mkdtempSync(join(tmpdir(), 'ask-'))
      const bin = join(home, 'curl')
      writeFileSync(bin, '#!/bin/sh\nfor last; do :; done\nprintf "%s\\0" "$last"\n', {
        mode: 0o755,
      })
      const env = { HOME: home, PATH: `${home}:/usr/bin:/bin`, API_KEY: 'secret' }
      for (const shell of ['dash', 'bash', 'zsh'].filter((name) => existsSync(`/bin/${name}`))) {
        for (const name of gapNames) {
          const line = askFor(name, address)
            .replace(/seq \d+/, 'seq 1')
            .replace(/sleep [\d.]+/, ':')
          const sent = execFileSync(shell, ['-c', line], { env, cwd: home }).toString().split('\0')
          expect(sent[0]?.startsWith(address)).toBe(true)
          expect(sent[0]).not.toContain('secret')
        }
      }
      expect(existsSync(join(home, 'pwned'))).toBe(false)
    },
  )
})
