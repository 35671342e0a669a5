import type { ScenarioView } from '../../sandbox/controls/scenarios.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** A walk of a page through all scenarios, one after the other. */
export interface ScenarioWalk {
  readonly sandbox: Sandbox
  /** Frame of the panel, which keeps the name of the scenario while the page stays. */
  readonly frame: HTMLElement
  /** Whether each step loads the page again, at an address that names the scenario. */
  readonly reload: boolean
}

/** Returns the scenario that a page is in, or, if none is in force, the last one of its walk. */
export function currentScenario(
  views: readonly ScenarioView[],
  { frame, reload }: ScenarioWalk,
): ScenarioView | undefined {
  const last = reload
    ? new URLSearchParams(location.search).get('scenario')
    : frame.dataset.scenario
  return views.find((one) => one.inForce) ?? views.find((one) => one.name === last)
}

/** Returns the scenario after another, the first after none; none after the last. */
export function nextScenario(
  views: readonly ScenarioView[],
  current: ScenarioView | undefined,
): ScenarioView | undefined {
  return views[current === undefined ? 0 : views.indexOf(current) + 1]
}

/** Resets the sandbox, and lets the page begin in a scenario, or in none. */
export function goTo(scenario: ScenarioView | undefined, walk: ScenarioWalk): void {
  const { sandbox, frame, reload } = walk
  // Also before a reload, since the sandbox's state may outlive it.
  sandbox.reset()
  if (reload) {
    const url = new URL(location.href)
    if (scenario === undefined) url.searchParams.delete('scenario')
    else url.searchParams.set('scenario', scenario.name)
    history.replaceState(history.state, '', url)
    location.reload()
  } else if (scenario === undefined) delete frame.dataset.scenario
  else {
    frame.dataset.scenario = scenario.name
    sandbox.scenario(scenario.name)
  }
}

/** Goes to the next scenario. */
export function goToNext(walk: ScenarioWalk): void {
  const views = walk.sandbox.scenarios()
  goTo(nextScenario(views, currentScenario(views, walk)), walk)
}
