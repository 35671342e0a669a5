import type { ControlStep } from '../../mock/api/control-step.ts'
import { list, object, optional, view } from '../../mock/input/object.ts'
import { mapTable } from '../../mock/input/record.ts'
import type { Input } from '../../mock/input/schema.ts'
import { flag, integer, string } from '../../mock/input/values.ts'
import { type Finding, finding } from '../audit/finding.ts'

/** Categories of coverage, with their descriptions. */
export const categories = {
  outcomes: 'Responses that the spec documents, by operation and status.',
  situations: 'Failure conditions: limits, bans, expired keys, removals, faults.',
} as const

export type CategoryName = keyof typeof categories

/** Request that the client sends to cover an item. */
interface RequestStep {
  /** The request that the client sends. */
  readonly request: {
    /** The method, in upper case. */
    readonly method: string
    /** The path below the API's base address, such as `/pets?limit=2`. */
    readonly path: string
    /** The headers, by name. */
    readonly headers: Readonly<Record<string, string>>
    /** The text of the body; empty if there is none. */
    readonly body: string
  }
  /** Number of times to send it. */
  readonly times: number
}

/** A step towards covering an item: a control call, or a request that the client sends. */
export type CoverageStep = ControlStep | RequestStep

/** An item that clients can exercise. */
interface CoverageItem {
  /** Name of the item, such as `listPets 429`. */
  readonly name: string
  /** Whether a client exercised it. */
  readonly covered: boolean
  /** The test that exercised it first, if tests are announced. */
  readonly coveredBy?: string | undefined
  /** Code that exercises it: `sandbox` is the sandbox, `client(key)` a client with that key. */
  readonly snippet: string
  /** The same as data: control calls and requests. */
  readonly steps: readonly CoverageStep[]
}

/** Items of a category, and the number of those that clients exercised. */
interface CategoryReport {
  /** Number of items that clients exercised. */
  readonly covered: number
  /** Number of items in all. */
  readonly total: number
  /** The items, the most important first. */
  readonly items: readonly CoverageItem[]
}

/** Coverage of the documented responses and failure conditions by the clients of a sandbox. */
export interface CoverageReport {
  /** The categories, each with its items. */
  readonly categories: {
    /** Responses that the spec documents, by operation and status. */
    readonly outcomes: CategoryReport
    /** Failure conditions: limits, bans, expired keys, removals, faults. */
    readonly situations: CategoryReport
  }
}

const fragmentCategory = optional(
  view({ items: list(view({ name: string, covered: flag, coveredBy: optional(string) })) }),
)

/** Results of one process as `check` reads them: a file that the process wrote, or a JSON report. */
export const coverageFragment = object(
  {
    requests: optional(integer(0, 1e6), 0),
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
