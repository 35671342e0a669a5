import { onTestFinished } from 'vitest'
import { banner } from '../../src/cli/serve/serve.ts'
import { readServeSettings } from '../../src/cli/serve/serve-settings.ts'
import { startServing } from '../../src/cli/serve/start-serving.ts'

/**
 * Serves as the command line does, in this process: what its options come to is asked here, and what a process does
 * with signals and streams by `serveCli()`.
 *
 * @param texts Options of the command line, by name.
 */
export async function serveHere(
  texts: Readonly<Record<string, string>> = {},
  environment: NodeJS.ProcessEnv = {},
) {
  const all = { port: '0', log: 'silent', ...texts }
  const settings = await readServeSettings(all, environment)
  const { server, stop } = await startServing(settings)
  onTestFinished(stop)
  return { url: server.url, server, banner: banner(server, settings.static, '', process.stdout) }
}
