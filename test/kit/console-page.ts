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

/** Finds what axe has against the page as it is; nothing of WCAG 2.2 AA may be among it. */
export async function violationsOn(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
