/** Runs the program's `main()` for tests, one run after the other; `run-main.ts` asks for them. */
import { join } from 'node:path'
import { main } from '../../dist/cli.js'

let written = { stdout: '', stderr: '' }

for (const name of ['stdout', 'stderr']) {
  process[name].write = (text, ...rest) => {
    written[name] += text
    rest.at(-1)?.()
    return true
  }
  // Each run adds its own, as the only one of a process does.
  process[name].setMaxListeners(0)
}

// Nor has it one listener for a signal, but one of each run.
process.setMaxListeners(0)

process.on('message', async ({ id, args, cwd, env }) => {
  written = { stdout: '', stderr: '' }
  process.exitCode = undefined
  process.env = env
  process.chdir(cwd)
  // As npx starts it in a project.
  process.argv[1] = join(cwd, 'node_modules/.bin/petstore-sandbox')
  await main(args)
  // What it has left to be done may fail, or write.
  await new Promise((resolve) => setImmediate(resolve))
  process.send({ id, value: { code: process.exitCode ?? 0, ...written } })
})

process.on('disconnect', () => process.exit())
