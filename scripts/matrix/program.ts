import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { plainEnvironment } from './command.ts'

/** How long the program may take to serve, and to stop. */
const patienceMs = 15_000

/**
 * Starts the program of a project as a shell does, asks it for pets, and stops it.
 *
 * @param programs The folder of the Node to run it by.
 * @throws Error when it does not serve, or does not end well.
 */
export async function serveOnce(project: string, programs: string): Promise<void> {
  const program = spawn(join(project, 'node_modules/.bin/petstore-sandbox'), ['--port', '0'], {
    cwd: project,
    env: plainEnvironment(programs),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(program, 'close')
  const patience = setTimeout(() => program.kill('SIGKILL'), patienceMs)
  let output = ''
  let errors = ''
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const address = new Promise<string | undefined>((resolve) => {
    program.once('close', () => resolve(undefined))
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /http:\/\/127\.0\.0\.1:\d+(?=[/\s])/.exec(output)?.[0]
      if (url !== undefined) resolve(url)
    })
  })
  const answer = await address.then(askForPets).catch(String)
  program.kill('SIGTERM')
  const [code] = await closed
  clearTimeout(patience)
  if (answer === '200, 3 pets' && code === 0 && errors === '') return
  throw new Error(`Cannot serve: the answer was ${answer}, it ended with ${code}\n${errors}`)
}

async function askForPets(url: string | undefined): Promise<string> {
  if (url === undefined) return 'none'
  const response = await fetch(`${url}/v1/pets?limit=3`, {
    headers: { Authorization: 'Bearer free-key' },
  })
  const pets: unknown = await response.json()
  return `${response.status}, ${Array.isArray(pets) ? pets.length : 'no'} pets`
}
