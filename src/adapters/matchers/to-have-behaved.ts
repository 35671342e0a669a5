import { auditOptions, severities } from '../../audit/finding.ts'
import { ruleNames } from '../../audit/rules.ts'
import { list, object, optional } from '../../input/object.ts'
import { definedOf } from '../../input/record.ts'
import { type Given, readInput } from '../../input/schema.ts'
import { oneOf } from '../../input/values.ts'
import { findingsFrom, findingsText } from './exchange-text.ts'
import { examine, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'

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
  const audit = definedOf({ oneClient })
  return examine(received, name, this, { audit }, ({ findings, entries }) => {
    const counted = findingsFrom(atLeast, findings).filter(
      ({ rule }) => !except.some((one) => one === rule),
    )
    const none = `The audit has found nothing of severity ${atLeast} or worse in ${entries.length} exchanges.`
    const pass = counted.length === 0
    return { pass, text: pass ? none : findingsText(counted, entries) }
  })
}
