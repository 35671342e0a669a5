import fc from 'fast-check'
import { chromium } from 'playwright'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { chromiumLaunchOptions } from '../../scripts/browsers.ts'
import { inProcess, settled, settlingTime } from '../kit/client-doors.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../kit/polite-scenes.ts'
import { openShop, routePage } from '../kit/routed-page.ts'
import { anyCircumstances, expectJustDeserts, rudenesses, rudeSandbox } from '../kit/rudenesses.ts'

/** How many scenes are played at the same time: what they do most is wait. */
const scenes = 8

/** How many tasks a scene has at most. */
const tasks = 12

const browser = await chromium.launch(chromiumLaunchOptions())
afterAll(() => browser.close())
const page = await openShop(browser)

describe('through the routes of Playwright', () => {
  it('a polite page gets no error and no warning', { timeout: 120_000 }, async () => {
    const seed = inject('testSeed')
    const plays = fc.sample(anyScene, { numRuns: scenes, seed }).map(async (whole, index) => {
      const scene = { ...whole, tasks: whole.tasks.slice(0, tasks) }
      const sandbox = frozenSandbox(optionsOf(scene))
      await sandbox.audit()
      const route = await routePage(page, sandbox, `polite-${index}.test`)
      await play(scene, sandbox, inProcess(route.send, settlingTime(sandbox)))
      expect(sandbox.journal.entries().every(({ door }) => door === 'playwright')).toBe(true)
      return { scene, sandbox, route }
    })
    for (const { scene, sandbox, route } of await Promise.all(plays)) {
      // What stands in line for as long as a client is quiet looks like one that knew.
      if (!route.hasStalled) await expectNoComplaint(sandbox, { seed, scene })
    }
  })

  it('a page that breaks one manner gets just what it has earned', {
    timeout: 120_000,
  }, async () => {
    const seed = inject('testSeed')
    const plays = rudenesses.map(async (rudeness, index) => {
      const [circumstances] = fc.sample(anyCircumstances, { numRuns: 1, seed: seed + index })
      if (circumstances === undefined) throw new TypeError('Cannot play: there is no sample')
      const sandbox = await rudeSandbox(rudeness, circumstances)
      const route = await routePage(page, sandbox, `rude-${index}.test`)
      const stage = { sandbox, send: route.send, rest: settled }
      const context = { does: rudeness.does, seed, circumstances }
      const judged = expectJustDeserts(rudeness, circumstances, stage, context)
      await judged.catch((error) => {
        if (!route.hasStalled) throw error
      })
    })
    await Promise.all(plays)
  })
})
