import { writeFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/server'
import { emptyPage, openServer } from '../../kit/open-server.ts'

/** What a page of a shop gets of the API: what it may read of each reply, or the error. */
function visit(page: Page, api: string): Promise<unknown[]> {
  return page.evaluate(async (api) => {
    const json = { 'content-type': 'application/json' }
    const key = (name: string) => ({ authorization: `Bearer ${name}` })
    const requests: readonly [string, RequestInit][] = [
      ['/pets?limit=2', { headers: key('free-key') }],
      ['/pets/1', { headers: key('free-key') }],
      [
        '/pets',
        {
          method: 'POST',
          headers: { ...json, ...key('pro-key') },
          body: '{"name":"Zoë","categoryId":9007199254740993}',
        },
      ],
      ['/pets?status=sold', { headers: key('minute-exhausted-key') }],
      ['/pets?status=pending', { headers: key('unknown-key') }],
      ['/orders', { headers: key('free-key') }],
    ]
    const seen: unknown[] = []
    for (const [path, init] of requests) {
      const response = await fetch(`${api}${path}`, init)
      const { status } = response
      seen.push({
        path,
        status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      })
    }
    return seen
  }, api)
}

test('an archive of the process replays to a page of another origin', async ({ browser }, info) => {
  const shop = await openServer(emptyPage)
  const sandbox = createSandbox({ clock: { now: '2027-01-15T08:00:20Z', mode: 'frozen' } })
  const server = await startServer({ port: 0, sandbox })
  // The name that pages use, which isn't the one that the process knows itself by.
  const api = `http://localhost:${server.port}/v1`
  try {
    const live = await browser.newPage()
    await live.goto(shop.url)
    const seen = await visit(live, api)
    const reply = await fetch(`${server.url}/_sandbox/requests.har`)
    const archive = info.outputPath('shop.har')
    const har = await reply.text()
    await writeFile(archive, har)
    // The requests of a page share connections, which the archive names.
    expect(har).toMatch(/"connection":"\d+"/)
    await server.close()

    const context = await browser.newContext()
    await context.routeFromHAR(archive, { url: `${api}/**`, notFound: 'abort' })
    const replayed = await context.newPage()
    await replayed.goto(shop.url)
    expect(await visit(replayed, api)).toEqual(seen)
    expect(seen[0]).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '59' } })
    expect(seen[3]).toMatchObject({ status: 429, headers: { 'retry-after': '40' } })
  } finally {
    await server.close()
    await shop.close()
  }
})

test('an archive replays a broken connection as no response', async ({ page }, info) => {
  const shop = await openServer(emptyPage)
  const sandbox = createSandbox()
  const server = await startServer({ port: 0, sandbox })
  const url = `${server.url}/v1/pets`
  sandbox.faults.add({ fault: 'disconnect' })
  await fetch(url).catch(() => {})
  const archive = info.outputPath('broken.har')
  await writeFile(archive, JSON.stringify(await sandbox.requests.har()))
  await server.close()
  try {
    await page.routeFromHAR(archive, { url, notFound: 'abort' })
    await page.goto(shop.url)
    const outcome = await page.evaluate(async (url) => {
      try {
        return (await fetch(url, { signal: AbortSignal.timeout(200) })).status
      } catch (error) {
        return error instanceof Error ? error.name : String(error)
      }
    }, url)
    expect(outcome).toBe('TimeoutError')
  } finally {
    await shop.close()
  }
})
