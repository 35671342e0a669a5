import { describe, expect, it } from 'vitest'
import {
  allRoutes,
  controlRoutes,
} from '../../../../../src/sandbox/controls/http/control-routes.ts'
import { controlHost } from '../../../../kit/control-host.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { sendControl } from '../../../../kit/send-control.ts'

/** Asks a sandbox for its index. */
async function indexOf(accept?: string, origin?: string, method = 'GET', url = '/_sandbox') {
  const headers = accept === undefined ? {} : { accept }
  const output = await frozenSandbox().handleControl({ method, url, headers, body: '' }, origin)
  if (output.kind !== 'response') throw new Error('Cannot read the index: found a stream')
  return output
}

/** What browsers send. */
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('the index of the controls', () => {
  it.each([{ accept: undefined }, { accept: '*/*' }, { accept: 'application/json' }])(
    'is JSON for who accepts $accept',
    async ({ accept }) => {
      const output = await indexOf(accept, 'http://127.0.0.1:7387')
      expect(output.headers['content-type']).toBe('application/json')
      const index = JSON.parse(output.body)
      expect(index).toMatchObject({
        api: 'http://127.0.0.1:7387/v1',
        description: 'http://127.0.0.1:7387/_sandbox/openapi.json',
        controlDescription: 'http://127.0.0.1:7387/_sandbox/control.openapi.json',
      })
      expect(index.controls).toEqual(
        Object.entries(controlRoutes).map(([name, { method, path, summary }]) => {
          const url = `http://127.0.0.1:7387/_sandbox${path === '/' ? '' : path}`
          return { name, method, url, summary }
        }),
      )
    },
  )

  it('has those of the process, too, where there is one', async () => {
    const { body } = await sendControl(controlHost(), 'GET', '')
    const names = JSON.parse(body).controls.map(({ name }: { name: string }) => name)
    expect(names).toEqual(Object.keys(allRoutes))
  })

  it.each(['/_sandbox', '/_sandbox/', '/_sandbox?a=1'])('is at %s', async (url) => {
    expect((await indexOf(undefined, undefined, 'GET', url)).status).toBe(200)
  })

  it('is a page for a browser, with each control and where the sandbox stands', async () => {
    const output = await indexOf(browserAccept)
    expect(output.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { method, path, summary } of Object.values(controlRoutes)) {
      expect(output.body).toContain(`>${method}</b>`)
      expect(output.body).toContain(path)
      expect(output.body).toContain(summary.replace(/'/g, '&#39;'))
    }
    expect(output.body).toContain('2026-01-01T00:00:00Z (frozen)')
    expect(output.body).toContain('<dt>Pets</dt><dd>30</dd>')
    expect(output.body).toContain('<dt>Keys</dt><dd>9</dd>')
    expect(output.body).toContain('<dt>Faults</dt><dd>0</dd>')
    expect(output.body).toContain('<dt>Limits</dt><dd>enforce</dd>')
  })

  it('links to what a browser can ask for, in words that are no markup', async () => {
    const { body } = await indexOf(browserAccept, `http://a&b<c>d"e'f`)
    const root = 'http://a&amp;b&lt;c&gt;d&quot;e&#39;f/_sandbox'
    const links = [...body.matchAll(/<a href="(.*?)">/g)].map(([, target]) => target)
    const described = ['/control.openapi.json', '/openapi.json']
    const readable = Object.values(controlRoutes)
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map(({ path }) => path)
    expect(links.toSorted()).toEqual(
      [...described, ...readable].map((path) => root + path).toSorted(),
    )
  })

  it('runs no script, loads nothing and is shown in no frame', async () => {
    const { body, headers } = await indexOf(browserAccept)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*frame-ancestors 'none'$/,
    )
    expect(body).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|url\(|@import/i)
  })
})
