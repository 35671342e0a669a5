import { rules } from '../audit/rules.ts'
import { list, object, optional } from '../input/object.ts'
import { described, type Read, Refusal, refined } from '../input/schema.ts'
import { instant, nameIn, text } from '../input/values.ts'

const exception = object(
  {
    rule: described('The rule whose findings are accepted.', nameIn(rules)),
    reason: described(
      'Why they are accepted.',
      text({ use: 'a sentence that says why', pattern: /\S/ }),
    ),
    until: optional(
      described('When it ends; a date alone means its first instant in UTC.', instant),
    ),
  },
  { example: '{ "rule": "deprecated-operation", "reason": "…", "until": "2030-01-01" }' },
)

/** A rule whose findings don't count. */
export type Exception = Read<typeof exception>

/** What a config file says of the audit. */
export const auditSettings = object(
  {
    exceptions: optional(
      refined(
        list(exception),
        (found) => {
          found.forEach(({ rule }, index) => {
            if (found.findIndex((one) => one.rule === rule) === index) return
            throw new Refusal(`${rule} has an exception already; keep one`, [index, 'rule'])
          })
          return found
        },
        (found) => found,
      ),
      [],
    ),
  },
  { example: '{ "exceptions": [{ "rule": "deprecated-operation", "reason": "…" }] }' },
)
