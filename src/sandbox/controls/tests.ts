import { object, optional } from '../../mock/input/object.ts'
import { named, readInput } from '../../mock/input/schema.ts'
import { testName } from '../../mock/log/request-view.ts'
import type { ControlContext } from './access.ts'
import { orNothing, routesOn } from './http/route.ts'

/** Announcement of a test that starts. */
export const startedTest = object(
  {
    /** Name of the test, shown with its findings and requests. */
    name: optional(testName),
  },
  { title: 'test', example: '{ "name": "lists pets" }' },
)

/** Controls that announce tests, so that findings don't combine requests of different tests. */
export interface TestControls {
  /**
   * Announces that a test starts.
   *
   * @param name 1 to 1,000 characters.
   */
  start(name?: string): void
  /** Announces that the test has ended. */
  end(): void
}

/** Creates the controls that announce tests. */
export function testControls({ state }: ControlContext): TestControls {
  const add = (kind: 'test-started' | 'test-ended', name?: string): void => {
    const { requests, clock } = state()
    requests.mark(kind, clock.now(), name)
  }
  return {
    start: (name) => add('test-started', readInput(startedTest, { name }).name),
    end: () => add('test-ended'),
  }
}

const route = routesOn<{ readonly controls: { readonly tests: TestControls } }>('tests')

/** Routes that announce tests. */
export const testRoutes = {
  'tests.start': route('tests.start', {
    summary: 'Announce that a test starts',
    description: 'Findings name the test, and nothing is concluded across its start.',
    body: orNothing(named('StartedTest', startedTest)),
    run: ({ controls, body }) =>
      controls.tests.start(readInput(startedTest, body === undefined ? {} : body).name),
  }),
  'tests.end': route('tests.end', {
    summary: 'Announce that the test has ended',
    description: 'Nothing is concluded across its end.',
    run: ({ controls }) => controls.tests.end(),
  }),
} as const
