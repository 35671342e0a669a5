import { object, optional, withDefault } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { durationFrom, oneOf, text } from '../../mock/input/values.ts'
import { scenarioName } from '../../sandbox/controls/scenarios.ts'
import { offByDefault, optionalPath, textList, withUnit } from '../option-schemas.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const words = { url: described('Address of the page', text(), { format: 'url' }) }

const sizeText = text({ use: 'a size such as 1280x800', pattern: /^[1-9]\d{1,3}x[1-9]\d{1,3}$/ })

const options = object({
  to: withDefault(
    described('Folder of the sheet and its pictures', text(), { format: 'path' }),
    'sheet',
  ),
  'api-url': optional(
    described('Address of the API as the page calls it', text(), {
      format: 'url',
      default: 'any that ends in /v1/pets or /v1/store/orders',
    }),
  ),
  viewport: withDefault(described('Sizes of the pictures, with commas', textList(sizeText)), [
    '1280x800',
  ]),
  dark: offByDefault('Take each picture in dark, too'),
  only: optional(
    described('Only these scenarios, with commas', textList(scenarioName), {
      default: 'all but slow and flaky',
    }),
  ),
  before: optionalPath('Module whose default export gets each page first, to log in or to click'),
  settle: withDefault(
    described('Maximum time to wait until a page is still', withUnit(durationFrom(500, 60_000))),
    10_000,
  ),
  sandbox: optional(
    described('Address of a running server to use, in sandboxes of its own', text(), {
      format: 'url',
    }),
  ),
  json: offByDefault('Print the sheet as JSON'),
  'fail-on': withDefault(
    described('Exit with 4 for an uncaught error or a blank page', oneOf(['error', 'never'])),
    'never',
  ),
})

export const screenshots: Command = {
  command: 'screenshots <url>',
  describe: 'Take a picture of a page in each scenario, and say what looks wrong',
  builder: (yargs) =>
    withArguments(yargs, words)
      .options(optionsOf(options.properties))
      .example(...exampleLines('$0 screenshots http://localhost:5173', 'See every state of a page'))
      .example(
        ...exampleLines(
          '$0 screenshots http://localhost:5173 --viewport 1280x800,390x844 --dark --before login.mjs',
          'In two sizes, in light and dark, after logging in',
        ),
      )
      .epilogue(
        "It needs Playwright in your project. The page's requests to the API get their responses from a sandbox in this process; the app needs no change.",
      ),
  async handler(found) {
    const { url } = readArguments(words, found)
    const read = readOptions(options.properties, found)
    const { writeSheet } = await import('../screenshots/write-sheet.ts')
    process.exitCode = await writeSheet(url, read, process.stdout)
  },
}
