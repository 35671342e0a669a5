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
  const { 'api-url': apiUrl } = options
  if (apiUrl !== undefined && !/^(?:https?:\/)?\/[^/]/.test(apiUrl)) {
    throw new CliError(
      `Cannot use --api-url: found ${printable(apiUrl)}; use an address such as https://api.example.com/v1, or a path such as /api/v1`,
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
      apiUrl,
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
  // Messages that differ in numbers alone are the same flaw.
  const flaws = new Map<string, { readonly message: string; readonly titles: Set<string> }>()
  for (const { title, flaws: own } of states) {
    for (const { message } of own) {
      const kind = message.replace(/\d[\d.,]*/g, '#')
      const flaw = flaws.get(kind) ?? { message, titles: new Set() }
      flaw.titles.add(title)
      flaws.set(kind, flaw)
    }
  }
  const found = [...flaws.values()].map(
    ({ message, titles }) => `${titleText([...titles])}: ${message}`,
  )
  const more = found.length - listedFlaws
  const pictures = countText(states.length, 'picture')
  const flawText = found.length === 0 ? 'nothing looks wrong' : countText(found.length, 'flaw')
  const lines = [
    // Without a request to the API, all pictures are of the same state.
    apis.length === 0 ? pictures : `${pictures}, ${flawText}`,
    ...found.slice(0, listedFlaws).map((flaw) => `  ${printable(flaw)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(apis.length === 0 ? [] : [`The API was ${printable(apis.join(', '))}.`]),
    ...notes.map(printable),
    `Open ${pathToFileURL(file).href}`,
  ]
  return `${lines.join('\n')}\n`
}

function titleText(titles: readonly string[]): string {
  const more = titles.length - 3
  return more > 1 ? `${titles.slice(0, 3).join(', ')} and ${more} more` : titles.join(', ')
}
