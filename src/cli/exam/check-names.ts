/** The names of the checks that take a run, in the order in which they are run. */
export const runCheckNames = [
  'minute-limit',
  'day-limit',
  'shared-key',
  'banned',
  'key-expired',
  'down',
  'overloaded',
  'lost',
  'silent',
  'garbled',
  'flaky',
  'slow',
  'clock-ahead',
  'clock-behind',
  'sunset-eve',
  'sunset-day',
  'sunset-after',
  'large-ids',
] as const

export type RunCheckName = (typeof runCheckNames)[number]

/** The names of all checks; the first one and the last two need no run for them alone, or many. */
export const checkNames = ['manners', ...runCheckNames, 'coverage', 'explore'] as const

/** The name of a check. */
export type CheckName = (typeof checkNames)[number]

/** What is examined without a run for it alone. */
export const sideChecks: Readonly<Record<Exclude<CheckName, RunCheckName>, string>> = {
  manners: 'What the audit says of the client when nothing goes wrong.',
  coverage: 'Which documented outcomes the suite makes the client face by itself.',
  explore: 'On which choices at gaps the suite depends; this takes many runs.',
}
