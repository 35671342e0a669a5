import { auditOptions, severities } from '../../audit/finding.ts'
import { ruleNames } from '../../audit/rules.ts'
import { list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import { definedOf } from '../../input/record.ts'
import { type Given, readInput } from '../../input/schema.ts'
import { oneOf } from '../../input/values.ts'
import { findingsFrom, findingsText } from './exchange-text.ts'
import { examine, headline, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'

const name = 'toHaveBehaved'

const behavedOptions = object(
  {
    /** Rules whose findings are of no account. */
    except: optional(list(oneOf(ruleNames)), []),
    /** How bad a finding has to be; `error` by default. */
    atLeast: optional(oneOf(severities), 'error'),
    ...auditOptions.properties,
  },
  { title: name, example: "{ except: ['deprecated-operation'], atLeast: 'warning' }" },
)

/** Which findings count. */
export type BehavedOptions = Given<typeof behavedOptions>

/** Says whether the audit has found nothing. */
export function toHaveBehaved(
  this: MatcherCall,
  received: Judged,
  options: BehavedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { except, atLeast, oneClient } = readInput(behavedOptions, options)
  return examine(received, { audit: definedOf({ oneClient }) }, ({ findings, entries, proof }) => {
    const counted = findingsFrom(atLeast, findings()).filter(
      ({ rule }) => !except.some((one) => one === rule),
    )
    return {
      pass: counted.length === 0,
      message: () =>
        counted.length === 0
          ? `${headline(name, this)}\n\nThe audit has found nothing of severity ${atLeast} or worse in ${entries().length} exchanges.`
          : `${headline(name, this)}\n\n${findingsText(counted, proof())}`,
    }
  })
}
