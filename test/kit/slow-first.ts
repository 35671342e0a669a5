import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long and have little in them, so that Vitest, which goes by size, would begin them at the end. */
const slow = [
  'adapters/playwright.test.ts',
  'audit/clients.test.ts',
  'audit/polite-http.test.ts',
  'audit/polite.test.ts',
  'audit/polite-playwright.test.ts',
  'audit/rude-http.test.ts',
  'calibrate/laws.test.ts',
  'cli/exam/exam.test.ts',
  'cli/explore/explore.test.ts',
  'cli/state-file-killed.test.ts',
  'cli/state-lock.test.ts',
  'examples/explore.test.ts',
  'package/attack.test.ts',
  'package/copied-example.test.ts',
  'panel/panel-page.test.ts',
  'readme/shell.test.ts',
  'readme/typed-commands.test.ts',
  'server/hostile-connections.test.ts',
]

const isSlow = ({ moduleId }: TestSpecification): boolean =>
  slow.some((path) => moduleId.endsWith(`/test/${path}`))

/** Begins with the slowest files of each project, so that in the end no processor waits for one of them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((one) => one.project === project)
      return [...own.filter(isSlow), ...own.filter((one) => !isSlow(one))]
    })
  }
}
