import type { ControlStep } from '../../mock/api/gaps/steps.ts'
import { dictionary, list, object, optional, view } from '../../mock/input/object.ts'
import { mapTable } from '../../mock/input/record.ts'
import { described, type Input, named, type Output, type Schema } from '../../mock/input/schema.ts'
import { either, flag, integer, string } from '../../mock/input/values.ts'
import { type Finding, finding } from '../audit/finding.ts'
import { controlStep } from './steps.ts'

/** Categories of coverage, with their descriptions. */
export const categories = {
  outcomes: 'Responses that the spec documents, by operation and status.',
  situations: 'Failure conditions: limits, bans, expired keys, removals, faults.',
} as const

export type CategoryName = keyof typeof categories

const count = integer(0, 1e6)

const requestStep = named(
  'RequestStep',
  object({
    /** The request that the client sends. */
    request: object({
      /** The method, in upper case. */
      method: string,
      /** The path below the API's base address, such as `/pets?limit=2`. */
      path: described('Below the base URL of the API.', string),
      /** The headers, by name. */
      headers: dictionary(string),
      /** The text of the body; empty if there is none. */
      body: string,
    }),
    /** Number of times to send it. */
    times: integer(1, 1e6),
  }),
)

/** Request that the client sends to cover an item. */
interface RequestStep extends Input<typeof requestStep> {}

/** A step towards covering an item: a control call, or a request that the client sends. */
export type Step = ControlStep | RequestStep

/** A step towards covering an item: a control call, or a request that the client sends. */
const step: Schema<Step> = either(controlStep, requestStep)

const itemReport = object({
  /** Name of the item, such as `listPets 429`. */
  name: described('Its name, such as `listPets 429`.', string),
  /** Whether a client exercised it. */
  covered: flag,
  /** The test that exercised it first, if tests are announced. */
  coveredBy: optional(
    described('The test that covered it first, where tests are announced.', string),
  ),
  /** Code that exercises it: `sandbox` is the sandbox, `client(key)` a client with that key. */
  snippet: described(
    'A line that covers it: `sandbox` is the sandbox, `client(key)` a client with that key.',
    string,
  ),
  /** The same as data: control calls and requests. */
  steps: described('The same as data.', list(step)),
})

/** An item that clients can exercise. */
interface CoverageItem extends Input<typeof itemReport> {}

const categoryReport = (description: string) =>
  described(
    description,
    object({
      /** Number of items that clients exercised. */
      covered: count,
      /** Number of items in all. */
      total: count,
      /** The items, the most important first. */
      items: list<CoverageItem, Output<typeof itemReport>>(itemReport),
    }),
  )

/** Coverage of the documented responses and failure conditions by the clients of a sandbox. */
export const coverageReport = named(
  'Coverage',
  object({
    /** The categories, each with its items. */
    categories: object({
      /** Responses that the spec documents, by operation and status. */
      outcomes: categoryReport(categories.outcomes),
      /** Failure conditions: limits, bans, expired keys, removals, faults. */
      situations: categoryReport(categories.situations),
    }),
  }),
)

/** Coverage of the documented responses and failure conditions by the clients of a sandbox. */
export interface CoverageReport extends Input<typeof coverageReport> {}

const fragmentCategory = optional(
  view({ items: list(view({ name: string, covered: flag, coveredBy: optional(string) })) }),
)

/** Results of one process as `check` reads them: a file that the process wrote, or a JSON report. */
export const coverageFragment = object(
  {
    requests: optional(count, 0),
    findings: optional(list(finding), []),
    categories: view(mapTable(categories, () => fragmentCategory)),
  },
  {
    unknown: 'ignore',
    title: 'coverage',
    example: '{ "categories": { "outcomes": { "items": [] } } }',
  },
)

/** Results of one process, as its file contains them. */
export interface CoverageFragment extends Pick<Input<typeof coverageFragment>, 'categories'> {
  readonly requests: number
  readonly findings: readonly Finding[]
}
