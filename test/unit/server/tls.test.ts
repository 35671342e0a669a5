import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { text } from 'node:stream/consumers'
import nodeTls from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { startServer } from '../../../src/server/start-server.ts'
import { expiryProblem } from '../../../src/server/tls.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { testServer } from '../../kit/test-server.ts'

/** Reads a file made for these tests: the certificate is for localhost and 127.0.0.1, until 2126. */
function pem(name: string): string {
  return readFileSync(new URL(`../../kit/tls/${name}.pem`, import.meta.url), 'utf8')
}

const tls = { cert: pem('cert'), key: pem('key') }

/** Gets a page as a client that trusts the certificate. */
async function getTrusting(url: string, headers: Record<string, string> = {}) {
  const agent = new Agent({ ca: tls.cert })
  onTestFinished(() => agent.destroy())
  return await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    get(url, { agent, headers }, async (reply) => {
      resolve({ status: reply.statusCode, body: await text(reply) })
    }).once('error', reject)
  })
}

describe('startServer() with tls', () => {
  it('serves the API, the controls and the console over https', async () => {
    const { url } = await testServer({ tls })
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const headers = { authorization: 'Bearer free-key' }
    expect(await getTrusting(`${url}/v1/pets/1`, headers)).toMatchObject({ status: 200 })
    expect(await getTrusting(`${url}/_sandbox/clock`)).toMatchObject({ status: 200 })
    const { body } = await getTrusting(`${url}/_sandbox/ui/`)
    expect(body).toContain('<!doctype html>')
  })

  it('has a client that does not trust the certificate say what to do', async () => {
    const { url } = await testServer({ tls })
    await expect(connectSandbox(url).status()).rejects.toMatchObject({
      reason: 'untrusted',
      message: expect.stringContaining('name that of its authority in NODE_EXTRA_CA_CERTS'),
    })
  })

  it('goes on after a client that speaks plain HTTP, which gets nothing', async () => {
    const { url, port } = await testServer({ tls })
    const client = await connectRaw(port)
    await client.send('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.closed()
    expect(await getTrusting(`${url}/v1/pets`)).toMatchObject({ status: 401 })
  })

  it.each([
    { file: 'locked-key', problem: 'it needs a passphrase; use a key without one' },
    {
      file: 'other-key',
      problem: 'it belongs to another certificate; use the key made with it',
    },
    {
      file: 'cert',
      problem: 'found no private key in PEM; use a file such as mkcert writes',
    },
  ])('rejects $file as the key', async ({ file, problem }) => {
    await expect(startServer({ port: 0, tls: { ...tls, key: pem(file) } })).rejects.toMatchObject({
      message: `Cannot set tls.key: ${problem}`,
      path: ['tls', 'key'],
    })
  })

  it('rejects a key as the certificate', async () => {
    await expect(startServer({ port: 0, tls: { ...tls, cert: tls.key } })).rejects.toMatchObject({
      message: 'Cannot set tls.cert: found no certificate in PEM; use a file such as mkcert writes',
    })
  })

  it.each([
    {
      what: 'a certificate in DER',
      cert: () => new X509Certificate(tls.cert).raw,
      problem: 'found no certificate in PEM; use a file such as mkcert writes',
    },
    {
      what: 'a chain with a broken certificate',
      cert: () =>
        `${tls.cert}\n-----BEGIN CERTIFICATE-----\nMIIBhroken\n-----END CERTIFICATE-----\n`,
      problem:
        'found a certificate after the first that cannot be read; use a file such as mkcert writes',
    },
  ])('rejects $what', async ({ cert, problem }) => {
    await expect(startServer({ port: 0, tls: { ...tls, cert: cert() } })).rejects.toMatchObject({
      name: 'InputError',
      message: `Cannot set tls.cert: ${problem}`,
    })
  })

  it.each([
    { bits: 512, name: 'weak', ciphers: nodeTls.DEFAULT_CIPHERS },
    // Node 20 would serve it, as newer versions do with these ciphers.
    { bits: 1024, name: 'short', ciphers: 'DEFAULT@SECLEVEL=0' },
  ])('rejects an RSA key of $bits bits', async ({ name, ciphers }) => {
    const weak = { cert: pem(`${name}-cert`), key: pem(`${name}-key`) }
    const { DEFAULT_CIPHERS: usual } = nodeTls
    nodeTls.DEFAULT_CIPHERS = ciphers
    onTestFinished(() => {
      nodeTls.DEFAULT_CIPHERS = usual
    })
    await expect(startServer({ port: 0, tls: weak })).rejects.toMatchObject({
      name: 'InputError',
      message: 'Cannot set tls.cert: its key is too weak for TLS; use one such as mkcert makes',
    })
  })
})

describe('expiryProblem()', () => {
  it.each([
    { at: -1, problem: 'it is valid only from 2' },
    { at: 0.5, problem: undefined },
    { at: 2, problem: 'it expired on 2' },
  ])('says $problem at $at of the validity', ({ at, problem }) => {
    const { validFrom, validTo } = new X509Certificate(tls.cert)
    const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
    const found = expiryProblem(tls.cert, from + at * (to - from))
    expect(found?.slice(0, problem?.length)).toBe(problem)
  })
})
