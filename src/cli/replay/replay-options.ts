import { gapSettings } from '../../contract/gap-settings.ts'
import { object, optional, type ReadOf, withDefault } from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { flag, oneOf, text, whole } from '../../input/values.ts'
import { settingList, splitText } from '../usage/settings.ts'

const gapWords = settingList(
  gapSettings,
  'Replay under another choice too, as name=choice, and compare with that; may be repeated',
)

/** The options of `replay`. */
export const replayOptions = object({
  until: optional(described('Number of the last request to replay', whole(0, 1e9))),
  gap: withDefault(
    { ...gapWords, read: (found) => gapWords.read([found].flat().flatMap(splitText)) },
    [],
  ),
  minimize: withDefault(
    described(
      'Find the fewest steps that show the difference, and write them to a file beside it',
      flag,
    ),
    false,
  ),
  as: optional(described('Print the capture as a Vitest test instead', oneOf(['vitest']))),
  serve: withDefault(
    described('Serve a sandbox that is as it was after the last request', flag),
    false,
  ),
  port: optional(
    described('Port to serve it on; 0 for any free port', whole(0, 65_535), {
      default: 'as for serve',
    }),
  ),
  json: withDefault(described('Print JSON', flag), false),
})

export type ReplayOptions = ReadOf<typeof replayOptions.properties>

/** The words of `replay`. */
export const replayWords = { file: described('A file that capture saved', text()) } as const
