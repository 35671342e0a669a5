import { describe, expect, it } from 'vitest'
import { Shell } from '../../kit/shell.ts'
import { testServer } from '../../kit/test-server.ts'

/** Has bash complete the last word of a line, by the script that the program prints. */
function completing(line: string): string {
  return `
eval "$(SHELL=/bin/bash petstore-sandbox completion)"
COMP_LINE='${line}'
COMP_WORDS=($COMP_LINE)
[[ "$COMP_LINE" != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
read -ra found <<< "$(complete -p petstore-sandbox)"
for at in "\${!found[@]}"; do
  [[ "\${found[$at]}" != -F ]] || function="\${found[$((at + 1))]}"
done
"$function"
echo "\${COMPREPLY[@]}"`
}

describe('petstore-sandbox completion', () => {
  it.each([
    { line: 'petstore-sandbox keys exhaust free-key ', words: 'minute day' },
    {
      line: 'petstore-sandbox gaps retryAfterF',
      words: ['seconds', 'http-date', 'milliseconds', 'fraction', 'unix-time']
        .map((value) => `retryAfterFormat=${value}`)
        .join(' '),
    },
    { line: 'petstore-sandbox requests --key rev', words: 'revoked-key' },
  ])('completes in bash: $line', async ({ line, words }) => {
    const { url } = await testServer()
    const shell = new Shell(url)
    shell.installGlobally()
    // Again where a busy machine makes the sandbox answer later than somebody waits who has pressed Tab.
    const complete = () => shell.run(completing(line))
    await expect.poll(complete).toMatchObject({ code: 0, stdout: `${words}\n` })
  })
})
