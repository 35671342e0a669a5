import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long and have little in them, so that Vitest, which goes by size, would begin them at the end. Those that
 * compute stand among those that wait for other processes.
 */
const slow = [
  'readme/shell.test.ts',
  'checks/calibrate/manners.test.ts',
  'cli/state-lock.test.ts',
  'readme/typed-commands.test.ts',
  'cli/check/check.test.ts',
  'cli/check/assumptions.test.ts',
  'cli/serve/serve.test.ts',
  'cli/state-file-killed.test.ts',
  'checks/audit/clients.test.ts',
  'adapters/msw-worker.test.ts',
  'checks/audit/polite-http.test.ts',
  'checks/audit/polite.test.ts',
  'checks/audit/polite-playwright.test.ts',
  'checks/audit/rude-http.test.ts',
  'cli/check/first-run.test.ts',
  'cli/remote/show-requests.test.ts',
  'client/events.test.ts',
  'server/hostile-connections.test.ts',
  'examples/client.test.ts',
  'console/panel/panel-page.test.ts',
]

/** Where a file stands in the list; those that don't, at its end. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((path) => moduleId.endsWith(`/test/${path}`))
  return place === -1 ? slow.length : place
}

/** Begins with the slowest files of each project, so that in the end no processor waits for one of them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted
        .filter((one) => one.project === project)
        .sort((one, other) => placeOf(one) - placeOf(other)),
    )
  }
}
