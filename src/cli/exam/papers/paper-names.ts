/** The names of the papers that take a run, in the order in which they are set. */
export const runPaperNames = [
  'minute-limit',
  'day-limit',
  'banned',
  'key-expired',
  'down',
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

export type RunPaperName = (typeof runPaperNames)[number]

/** The names of all papers; the first one and the last two need no run for them alone, or many. */
export const paperNames = ['manners', ...runPaperNames, 'coverage', 'explore'] as const

/** The name of a paper. */
export type PaperName = (typeof paperNames)[number]

/** The name of what is examined without a run for it alone. */
export type SidePaperName = Exclude<PaperName, RunPaperName>
