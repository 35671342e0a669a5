import { readFile } from 'node:fs/promises'
import { type Browser, expect, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { type Calibration, calibrate } from 'petstore-sandbox/calibrate'
import { startServer } from 'petstore-sandbox/server'
import { emptyPage, openServer } from '../../../kit/open-server.ts'

/** Choices that a browser's traffic shows. */
const choices = {
  defaultStatus: 'pending',
  unknownQuery: 'reject',
  invalidQuery: 'ignore',
  listOrder: 'id-descending',
  idSequence: 'large',
  deprecationHeaders: 'draft',
  errorCodes: 'UPPER_CASE',
  retryAfterFormat: 'http-date',
} as const

/** A page's requests: plain ones, those that are preflighted, and two at a time. */
const paths = [
  ...['/pets?limit=100', '/pets?limit=5', '/pets?color=red', '/pets?limit=0', '/pets/1', '/pets/0'],
  ...['/store/orders', '/nothing', '/pets?status=sold&limit=50'],
]

/** Records what a page of `origin` gets of an API, as `recordHar` has it. */
async function recordIn(browser: Browser, origin: string, api: string, path: string) {
  const context = await browser.newContext({ recordHar: { path } })
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(
    async ({ api, paths }) => {
      const send = (path: string, key: string, init: RequestInit = {}) =>
        fetch(api + path, {
          ...init,
          headers: { authorization: `Bearer ${key}`, ...init.headers },
        }).then((reply) => reply.text())
      for (const path of paths) await send(path, 'pro-key')
      await Promise.all(paths.map((path) => send(path, 'pro-key')))
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"name":"Zoë","categoryId":1}', '{"name":"Max"}', '{']) {
        await send('/pets', 'pro-key', { method: 'POST', headers, body })
      }
      for (let sent = 0; sent < 8; sent++) {
        await send('/pets', 'pro-key', {
          method: 'POST',
          headers,
          body: '{"name":"Rex","categoryId":1,"status":"sold"}',
        })
      }
      for (let sent = 0; sent < 3; sent++) await send('/pets', 'minute-exhausted-key')
      await send('/pets', 'nobody')
      await fetch(`${api}/pets`)
    },
    { api, paths },
  )
  await context.close()
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Serves the API under a prefix, and an empty page beside it, at an origin of its own. */
async function serveUnderPrefix(target: string) {
  return await openServer(async (request, response) => {
    const { url = '', method = 'GET' } = request
    if (!url.startsWith('/shop/api/')) return emptyPage(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const reply = await fetch(target + url.slice('/shop/api'.length), {
      method,
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        /^(?:authorization|content-type)$/.test(name) ? [[name, String(value)]] : [],
      ),
      ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    })
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
}

function expectChoices(report: Calibration): void {
  for (const [name, choice] of Object.entries(choices)) {
    const { result, values: found } = report.gaps[name as keyof typeof choices]
    expect({ name, result, found }).toEqual({ name, result: 'confirmed', found: [choice] })
  }
  expect(Object.values(report.clauses).flatMap(({ problems }) => problems)).toEqual([])
  expect(report.unexplained).toEqual([])
  expect(JSON.stringify(report)).not.toMatch(/pro-key|exhausted-key|nobody/)
}

for (const { where, isCrossOrigin } of [
  { where: 'from a page of another origin, with preflights', isCrossOrigin: true },
  { where: 'under a prefix of its own origin', isCrossOrigin: false },
]) {
  test(`an archive that Chromium records ${where} shows the choices`, async ({ browser }, info) => {
    const sandbox = createSandbox({ gaps: choices })
    await using api = await startServer({ port: 0, sandbox })
    const { url: origin, close } = await serveUnderPrefix(api.url)
    try {
      const baseUrl = isCrossOrigin ? `${api.url}/v1` : `${origin}/shop/api/v1`
      const archive = await recordIn(browser, origin, baseUrl, info.outputPath('a.har'))
      const report = calibrate([archive])
      expect(report.baseUrl).toBe(baseUrl)
      expect(report.requests.checked).toBe(34)
      expectChoices(report)
      expect(calibrate([archive], { baseUrl: `${baseUrl}/` })).toEqual(report)
    } finally {
      await close()
    }
  })
}
