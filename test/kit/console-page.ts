import type { Page } from '@playwright/test'
import axeCore, { type RunOptions } from 'axe-core'
import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'

/** Serves a sandbox whose clock stands still. */
export function serveFrozen(): Promise<RunningServer> {
  const sandbox = createSandbox({ clock: { now: '2026-11-21T14:03:07Z', mode: 'frozen' } })
  return startServer({ port: 0, sandbox })
}

/** Sends a request, and gives the status of the reply. */
export async function statusOf(
  { url }: RunningServer,
  { path = '/pets', key = 'free-key' } = {},
): Promise<number> {
  const reply = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  return reply.status
}

/** What a browser says of a control that was rejected. */
const isRejection = /the server responded with a status of 400/

/** Opens a screen of the console, and collects what the page complains of: its policy, or a bug. */
export async function openConsole(
  page: Page,
  { url }: RunningServer,
  screen: string,
): Promise<string[]> {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !isRejection.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${url}/_sandbox/ui/#/${screen}`)
  return complaints
}

/** The rules of WCAG 2.2 AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules of axe that depend on colours. */
export const rulesOfColours: readonly string[] = ['color-contrast', 'link-in-text-block']

/** What a page has of axe that was given it. */
declare const axe: typeof axeCore

/**
 * Finds what axe has against a page as it is, or against a part of it.
 *
 * @param rules The tags of the rules, or their names.
 */
export async function violationsOn(
  page: Page,
  rules: readonly string[] = wcag,
  part = 'html',
): Promise<unknown[]> {
  // Once for a document: to read axe takes a page as long as to use it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source)
  return await page.evaluate(
    async ({ rules, part }) => {
      // What is right is not told of, which would take as long again.
      const options: RunOptions = { runOnly: [...rules], resultTypes: ['violations'] }
      const { violations } = await axe.run(part, options)
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    },
    { rules, part },
  )
}
