import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createMiddleware } from '../../../../../src/adapters/express.ts'
import type { RunningServer } from '../../../../../src/server/start-server.ts'
import { browser } from '../../../../kit/browser.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { listen } from '../../../../kit/listen.ts'
import { emptyPage } from '../../../../kit/open-server.ts'
import { connectRaw } from '../../../../kit/raw-client.ts'
import { postHead, rawHead } from '../../../../kit/raw-request.ts'
import { testServer } from '../../../../kit/test-server.ts'

const pet = '{"name":"Twice","categoryId":1}'

/** What a client makes of a request on a connection that it has used before. */
type Client = (api: string, method: 'GET' | 'POST') => Promise<string>

const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-clients-'))
afterAll(() => rmSync(folder, { recursive: true }))

const inChromium: Client = async (api, method) => {
  const page = await browser.newPage()
  await page.goto((await listen(emptyPage)).url)
  const seen = await page.evaluate(
    async ({ url, method, body }) => {
      const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
      await (await fetch(`${url}/1`, { headers })).text()
      const init = method === 'GET' ? { headers } : { headers, method, body }
      return await fetch(url, init).then(
        ({ status }) => `answered with ${status}`,
        (error: Error) => error.message,
      )
    },
    { url: `${api}/pets`, method, body: pet },
  )
  await page.close()
  return seen
}

const inNode: Client = async (api, method) => {
  const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
  const init = method === 'GET' ? { headers } : { headers, method, body: pet }
  await (await fetch(`${api}/pets/1`, { headers })).text()
  return await fetch(`${api}/pets`, init).then(
    ({ status }) => `answered with ${status}`,
    ({ message, cause }: Error) => `${message}: ${Object(cause).code}`,
  )
}

const withCurl: Client = (api, method) => {
  const of = ['-sS', '-o', join(folder, 'out'), '-H', 'Authorization: Bearer pro-key']
  const post = ['-H', 'Content-Type: application/json', '-d', pet]
  const more = method === 'GET' ? [] : post
  return run('curl', [...of, `${api}/pets/1`, '--next', ...of, ...more, `${api}/pets`])
}

/** Both of Java's own clients. */
const javaProgram = `
import java.io.*; import java.net.*; import java.net.http.*; import java.net.http.HttpRequest.*;
public class Clients {
  static String send(String kind, String url, String method, String body) throws Exception {
    if (kind.equals("HttpClient")) {
      var publisher = method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
      var request = HttpRequest.newBuilder(URI.create(url)).method(method, publisher)
        .header("Authorization", "Bearer pro-key").header("Content-Type", "application/json").build();
      return "answered with " + client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }
    var connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setRequestProperty("Authorization", "Bearer pro-key");
    connection.setRequestProperty("Content-Type", "application/json");
    if (method.equals("POST")) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes());
    }
    connection.getInputStream().readAllBytes();
    return "answered with " + connection.getResponseCode();
  }
  static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  public static void main(String[] args) throws Exception {
    send(args[0], args[1] + "/pets/1", "GET", "");
    try { System.out.println(send(args[0], args[1] + "/pets", args[2], args[3])); }
    catch (IOException exception) { System.out.println(exception); }
  }
}`

const withJava =
  (kind: 'HttpURLConnection' | 'HttpClient'): Client =>
  (api, method) =>
    run('java', ['-cp', folder, 'Clients', kind, api, method, pet])

/** With the `fetch` of a runtime, given the words by which it runs a program's text. */
const withFetchOf =
  (program: string, ...words: readonly string[]): Client =>
  (api, method) => {
    const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
    const init = method === 'GET' ? { headers } : { headers, method, body: pet }
    const text = `
      await (await fetch('${api}/pets/1', ${JSON.stringify({ headers })})).text()
      const sent = fetch('${api}/pets', ${JSON.stringify(init)})
      console.log(await sent.then(({ status }) => 'answered with ' + status, () => 'has failed'))`
    return run(program, [...words, text])
  }

/** Runs a program, and gives what it wrote. */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`.trim()))
  })
}

/** Whether this machine has a program; only Chromium, Node and curl are tried by default, since others take long. */
function isAtHand(program: string): boolean {
  if (program !== 'curl' && inject('testRuns') === 1) return false
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Clients, and what each says of a broken connection; of programs, those that are at hand. */
function clients(): readonly (readonly [name: string, client: Client, seen: RegExp])[] {
  const hasJava = isAtHand('javac')
  if (hasJava) {
    writeFileSync(join(folder, 'Clients.java'), javaProgram)
    execFileSync('javac', ['-d', folder, join(folder, 'Clients.java')])
  }
  return [
    ['Chromium', inChromium, /^Failed to fetch$/],
    ["Node's fetch", inNode, /^fetch failed: ECONNRESET$/],
    ...(isAtHand('curl') ? [['curl', withCurl, /\(56\).* reset/] as const] : []),
    ...(isAtHand('bun') ? [['Bun', withFetchOf('bun', '-e'), /^has failed$/] as const] : []),
    ...(isAtHand('deno') ? [['Deno', withFetchOf('deno', 'eval'), /^has failed$/] as const] : []),
    ...(hasJava
      ? [
          [
            "Java's HttpURLConnection",
            withJava('HttpURLConnection'),
            /^java\.io\.IOException/,
          ] as const,
          ["Java's HttpClient", withJava('HttpClient'), /^java\.io\.IOException/] as const,
        ]
      : []),
  ]
}

/** Serves a sandbox that breaks the connection of the first request for all pets, or for a new one. */
async function breakingServer(): Promise<RunningServer> {
  const server = await testServer({ sandbox: frozenSandbox() })
  server.sandbox.faults.add([
    { fault: 'disconnect', operation: 'listPets', times: 1 },
    { fault: 'disconnect', operation: 'createPet', times: 1 },
  ])
  return server
}

describe.each(clients())(
  'a connection that breaks before the response, in %s',
  (_, client, seen) => {
    it.each(['GET', 'POST'] as const)('fails a %s, which is sent once', async (method) => {
      const { url, sandbox } = await breakingServer()
      expect(await client(`${url}/v1`, method)).toMatch(seen)
      const { size } = sandbox.pets
      expect(sandbox.requests.list().map(({ outcome }) => outcome.kind)).toEqual([
        'response',
        'disconnect',
      ])
      expect(size).toBe(method === 'POST' ? 31 : 30)
    })
  },
)

describe('a connection that breaks before the response', () => {
  it.each([
    { agent: 'curl/8.0', version: 'HTTP/1.1', begins: 'HTTP/1.1 100 Continue\r\n\r\n' },
    { agent: 'Java/17.0.15', version: 'HTTP/1.1', begins: 'HTTP/1.1 broken\r\n\r\n' },
    { agent: 'Bun/1.4.5', version: 'HTTP/1.1', begins: 'HTTP/1.1 broken\r\n\r\n' },
    { agent: 'Deno/2.9.6', version: 'HTTP/1.1', begins: 'HTTP/1.1 broken\r\n\r\n' },
    { agent: 'Java-http-client/17', version: 'HTTP/1.1', begins: 'HTTP/1.1 100 Continue\r\n\r\n' },
    { agent: 'node', version: 'HTTP/1.1', begins: '' },
    { agent: 'ab', version: 'HTTP/1.0', begins: '' },
  ])('begins with "$begins" for $agent in $version', async ({ agent, version, begins }) => {
    const { port } = await breakingServer()
    const client = await connectRaw(port)
    await client.send(rawHead({ version, lines: [`User-Agent: ${agent}`] }))
    await client.closed()
    expect(client.received).toBe(begins)
  })

  it('closes a connection that is no TCP, which has no reset', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'disconnect' })
    const answer = createMiddleware(sandbox)
    const server = createServer((request, response) => {
      const mounted = Object.assign(request, { originalUrl: request.url ?? '', baseUrl: '/v1' })
      answer(mounted, response, () => {})
    })
    const isWindows = process.platform === 'win32'
    const path = isWindows ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 'socket')
    await new Promise<void>((resolve) => server.listen(path, resolve))
    const socket = connect(path)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.write(rawHead())
    await new Promise((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => server.close(resolve))
    expect(received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  })

  it('breaks so for one that was never handled, too', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    server.sandbox.faults.add({ fault: 'timeout' })
    const client = await connectRaw(server.port)
    await client.send(postHead(`Content-Length: ${pet.length}`), pet)
    await expect.poll(() => server.sandbox.requests.list()).toHaveLength(1)
    server.sandbox.reset()
    await client.closed()
    expect(client.received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  })
})
