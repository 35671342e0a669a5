import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askFor } from '../../../../src/checks/calibrate/ask-for.ts'
import { gapNames } from '../../../../src/mock/api/gaps.ts'
import { testFolder } from '../../../kit/cli-process.ts'

const addresses = [
  'https://api.test/$(touch$IFS$HOME/pwned)/v1',
  'https://api.test/`touch$IFS$HOME/pwned`/v1',
  "https://api.test/';touch$IFS$HOME/pwned;'/v1",
  'https://api.test/";touch$IFS$HOME/pwned;"/v1',
  'https://api.test/\ntouch $HOME/pwned\n/v1',
  'https://api.test/$API_KEY/v1',
  'https://api.test/{a,b}[1-3]/v1',
]

/** Prints the address that it is given, and asks nobody. */
const curl = 'curl() { for last; do :; done; printf "%s\\0" "$last"; }'

describe('askFor()', () => {
  it.each(addresses)(
    'runs nothing of the address %j, and sends no key in it (issue 37)',
    (address) => {
      const home = testFolder()
      const env = { HOME: home, PATH: '/usr/bin:/bin', API_KEY: 'secret' }
      const lines = gapNames.flatMap(
        (name) =>
          askFor(name, address)
            ?.replace(/seq \d+/, 'seq 1')
            .replace(/sleep [\d.]+/, ':') ?? [],
      )
      for (const shell of ['dash', 'bash', 'zsh'].filter((name) => existsSync(`/bin/${name}`))) {
        const output = execFileSync(shell, ['-c', [curl, ...lines].join('\n')], { env, cwd: home })
        const sent = output.toString().split('\0').slice(0, -1)
        expect(sent).toHaveLength(lines.length)
        expect(sent.every((one) => one.startsWith(address))).toBe(true)
        expect(sent.join()).not.toContain('secret')
      }
      expect(existsSync(join(home, 'pwned'))).toBe(false)
    },
  )

  it('has curl be silent where it asks often', () => {
    expect(askFor('listOrder', addresses[0] ?? '')).toMatch(/^curl -i /)
    expect(askFor('banAfter', addresses[0] ?? '')).toMatch(/^for i in \$\(seq \d+\); do curl -si /)
  })

  it.each([
    { address: 'https://api.test/v1', isPattern: false },
    { address: 'https://[::1]:8443/v1', isPattern: false },
    { address: 'https://api.test/{a,b}/v1', isPattern: true },
    { address: 'https://[::1]:8443/[1-3]/v1', isPattern: true },
  ])('has curl take $address as it is', ({ address, isPattern }) => {
    expect(askFor('listOrder', address)?.includes(" -g 'https:")).toBe(isPattern)
  })
})
