import { choiceAt, type GapView, viewGaps } from '../../contract/gap-settings.ts'
import { gaps } from '../../contract/gaps.ts'
import { object } from '../../input/object.ts'
import { mapTable } from '../../input/record.ts'
import { named, type Schema } from '../../input/schema.ts'

const everyChoice = object(mapTable(gaps, choiceAt))

/** The choices in force, as the controls show them. */
export const gapView: Schema<GapView> = named('Gaps', {
  use: everyChoice.use,
  describe: everyChoice.describe,
  read: (found) => viewGaps(everyChoice.read(found)),
  write: (view) => view,
})
