import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { RunningServer } from 'petstore-sandbox/server'

/** What a browser says of a control that was refused. */
const isRefusal = /the server responded with a status of 400/

/** Opens a screen of the console, and collects what the page complains of: its policy, or a bug. */
export async function openConsole(
  page: Page,
  { url }: RunningServer,
  screen: string,
): Promise<string[]> {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !isRefusal.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${url}/_sandbox/ui/#/${screen}`)
  return complaints
}

/** The rules of WCAG 2.2 AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Finds what axe has against a page as it is, or against a part of it.
 *
 * @param rules Those with one of these tags.
 */
export async function violationsOn(page: Page, rules = wcag, part = 'html'): Promise<unknown[]> {
  // A quarter of the time: what is right is not told of, and there are no frames of other origins to be asked.
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .options({ runOnly: rules, resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
