import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { countText, printable, printableJson } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import type { ScenarioName } from '../../sandbox/controls/scenarios.ts'
import { CliError } from '../cli-error.ts'
import { type Sheet, sheetPage } from './sheet.ts'
import { isBroken, type PageSize } from './states.ts'
import { sheetScenarios, takeScreenshots } from './take-screenshots.ts'

/** Options of the command. */
interface SheetOptions {
  readonly to: string
  readonly 'api-url': string | undefined
  /** Sizes such as `1280x800`. */
  readonly viewport: readonly string[]
  readonly dark: boolean
  readonly only: readonly ScenarioName[] | undefined
  readonly before: string | undefined
  readonly settle: number
  readonly sandbox: string | undefined
  readonly json: boolean
  readonly 'fail-on': 'error' | 'never'
}

/** Number of flaws that the terminal lists; the sheet has all. */
const listedFlaws = 8

/**
 * Takes the pictures, writes the sheet, and prints what looks wrong first; returns the exit code.
 *
 * @throws {@link CliError} if Playwright, a browser, the page or a module is missing.
 */
export async function writeSheet(
  url: string,
  options: SheetOptions,
  stdout: NodeJS.WriteStream,
): Promise<number> {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^(?:https?|file):$/.test(address.protocol)) {
    throw new CliError(
      `Cannot take pictures of ${printable(url)}: it is not an address; use one such as http://localhost:5173`,
      2,
    )
  }
  const progress = options.json
    ? () => {}
    : (title: string) => void process.stderr.write(`${title}\n`)
  const sheet = await takeScreenshots(
    {
      url,
      to: options.to,
      apiUrl: options['api-url'],
      sandbox: options.sandbox,
      sizes: options.viewport.map(sizeOf),
      dark: options.dark,
      before: options.before,
      settleMs: options.settle,
      scenarios: options.only ?? sheetScenarios,
    },
    progress,
  )
  const file = resolve(join(options.to, 'index.html'))
  writeFileSync(file, sheetPage(sheet))
  stdout.write(options.json ? `${printableJson(toJson(sheet))}\n` : summaryOf(sheet, file))
  return options['fail-on'] === 'error' && sheet.states.some(isBroken) ? 4 : 0
}

function sizeOf(text: string): PageSize {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

function summaryOf({ states, apis, notes }: Sheet, file: string): string {
  const flaws = states.flatMap(({ title, flaws: all }) =>
    all.map(({ message }) => `${title}: ${message}`),
  )
  const distinct = [...new Set(flaws)]
  const more = distinct.length - listedFlaws
  const lines = [
    `${countText(states.length, 'picture')}, ${distinct.length === 0 ? 'nothing looks wrong' : `${countText(distinct.length, 'flaw')}`}`,
    ...distinct.slice(0, listedFlaws).map((flaw) => `  ${printable(flaw)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    apis.length === 0
      ? 'The page sent no request to the API: name its address with --api-url'
      : `The API was ${printable(apis.join(', '))}`,
    ...notes,
    `Open ${pathToFileURL(file).href}`,
  ]
  return `${lines.join('\n')}\n`
}
