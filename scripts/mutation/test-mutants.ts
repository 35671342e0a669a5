/** Tests one mutant after another with a Vitest that stays; a process of its own, since a mutant may never end. */
import { dirname, resolve } from 'node:path'
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node'
import { type Mutant, sourceOf } from './find-mutants.ts'
import { coreTests, otherTests, slowTests } from './rooms.ts'

/** What became of a mutant: the first test that failed, if any. */
export interface Verdict {
  readonly killer: string | undefined
}

const root = process.cwd()

/** The mutant in force. */
let mutant: Mutant | undefined

const mutating = {
  name: 'mutating',
  enforce: 'pre' as const,
  load(id: string): string | undefined {
    return mutant !== undefined && id === resolve(root, mutant.path) ? sourceOf(mutant) : undefined
  },
}

/** Keeps the order of the files. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

const vitest = await createVitest(
  'test',
  {
    config: false,
    root,
    watch: false,
    include: [...coreTests],
    exclude: [...otherTests],
    isolate: false,
    pool: 'threads',
    sequence: { sequencer: InOrder },
    maxWorkers: 1,
    testTimeout: 900_000,
    provide: { testSeed: 1 },
    setupFiles: ['test/kit/fixed-seed.ts'],
    bail: 1,
    update: 'none',
    reporters: [{}],
    silent: true,
    // It would take changed files for those that they replace.
    fsModuleCache: false,
  },
  { plugins: [mutating], logLevel: 'silent' },
)

const all = await vitest.globTestSpecifications()
const slow = all.filter(({ moduleId }) => slowTests.includes(moduleId.slice(root.length + 1)))
const quick = all.filter((one) => !slow.includes(one))

/** What is run beside the tests that are nearest to a mutant. */
const farTests = { near: [], quick, slow }[process.argv[2] ?? ''] ?? []

/** How many mutants a test file has killed: those that do it often come first. */
const kills = new Map<string, number>()

/** How long each test file took last, in milliseconds. */
const durations = new Map<string, number>()

process.on('message', (sent: Mutant | 'none') => {
  void judge(sent === 'none' ? undefined : sent).then((verdict) => process.send?.(verdict))
})
process.send?.({ killer: undefined })

/** Runs the tests that are most likely to notice a mutant, and then the others. */
async function judge(next: Mutant | undefined): Promise<Verdict> {
  for (const one of [mutant, next])
    if (one !== undefined) vitest.invalidateFile(resolve(root, one.path))
  mutant = next
  const near = next === undefined ? [] : testsNear(next.path)
  const others = (next === undefined ? quick : farTests).filter((one) => !near.includes(one))
  const far = others.toSorted(byPromise)
  for (const group of [near, far]) {
    const killer = group.length === 0 ? undefined : await firstFailure(group)
    if (killer === undefined) continue
    kills.set(killer, (kills.get(killer) ?? 0) + 1)
    return { killer: killer.slice(root.length + 1) }
  }
  return { killer: undefined }
}

/** Those that have killed most come first, and of others the quick ones. */
function byPromise(one: TestSpecification, other: TestSpecification): number {
  const difference = (kills.get(other.moduleId) ?? 0) - (kills.get(one.moduleId) ?? 0)
  return difference === 0 ? durationOf(one) - durationOf(other) : difference
}

function durationOf({ moduleId }: TestSpecification): number {
  return durations.get(moduleId) ?? 0
}

/** The tests of a source file, or those of the first folder above it that has some. */
function testsNear(path: string): TestSpecification[] {
  const top = resolve(root, 'test')
  let place = resolve(root, path.replace(/^src/, 'test').replace(/\.ts$/, ''))
  while (place.startsWith(top)) {
    const own = all.filter(({ moduleId }) => moduleId === `${place}.test.ts`)
    const found = own.length > 0 ? own : all.filter(({ moduleId }) => dirname(moduleId) === place)
    if (found.length > 0) return found
    place = dirname(place)
  }
  return []
}

/** Gives the first test file that fails. */
async function firstFailure(specifications: TestSpecification[]): Promise<string | undefined> {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // Those of earlier runs are still among them.
  const inThisRun = new Set(specifications.map(({ moduleId }) => moduleId))
  const failed = testModules.find(
    (module) => inThisRun.has(module.moduleId) && module.state() === 'failed',
  )
  for (const module of testModules) {
    const { duration, collectDuration } = module.diagnostic()
    durations.set(module.moduleId, duration + collectDuration)
  }
  return failed?.moduleId ?? (unhandledErrors.length > 0 ? `${root}/an unhandled error` : undefined)
}
