import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { program, testFolder } from './cli-process.ts'
import { runMain } from './run-main.ts'

/**
 * Starts what runs the program for the shells of a test in a process that all such runs share, which saves most of the
 * time; gives the script that stands for the program there.
 *
 * Only what asks a running sandbox is run so. What serves, has a command run beside, follows, or reads standard input has
 * a process of its own.
 */
export function relayedProgram(): string {
  const socket = join(testFolder(), 'relay')
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const [cwd = '', count, ...rest] = String(await buffer(request)).split('\0')
      const args = rest.slice(0, Number(count))
      const env = Object.fromEntries(
        rest.slice(Number(count), -1).map((line) => {
          const [, name = '', value = ''] = /^(.*?)=(.*)$/s.exec(line) ?? []
          return [name, value]
        }),
      )
      const { code, stdout, stderr } = await runMain(args, { cwd, env })
      response.end(
        `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; exit ${code ?? 1}`,
      )
    }
    // In a pipe, several begin at the same time.
    last = last.then(answer)
  })
  server.listen(socket)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `#!/bin/bash
case "$1" in
  exec | exam | explore | open | replay | completion | -* | '') isAlone=1 ;;
esac
[[ " $* " != *' --follow '* && ! -p /dev/stdin && ! -f /dev/stdin ]] || isAlone=1
[[ -z "$isAlone" ]] || exec '${process.execPath}' '${program}' "$@"
mapfile -d '' variables < <(env -0)
reply=$(printf '%s\\0' "$PWD" "$#" "$@" "\${variables[@]}" |
  curl -sS --data-binary @- --unix-socket '${socket}' http://relay/) || exit
eval "$reply"
`
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
