import { readFileSync, statSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { TestResult } from '../../explore/suite/observation.ts'
import { CliError } from '../cli-error.ts'

/** The largest file that is read, in bytes. */
const mostBytes = 2 ** 26

/** What a JUnit file says. */
export interface JunitResults {
  /** By name; of tests with the same name, one that failed counts. */
  readonly results: ReadonlyMap<string, TestResult>
  /** The first test that failed. */
  readonly failure: TestFailure | undefined
  /** The tests that failed since they took too long, as their runner says. */
  readonly timedOut: ReadonlySet<string>
}

/** A test that failed, and what its runner says of it in a line. */
export interface TestFailure {
  readonly test: string
  readonly message: string
}

/**
 * Reads test results from JUnit XML; `undefined` if there is no such file, or none in it.
 *
 * @throws {@link CliError} for a file that is too large.
 */
export function readJunit(file: string): JunitResults | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const read = parseJunit(text)
  return read.results.size === 0 ? undefined : read
}

function textOf(file: string): string | undefined {
  try {
    const found = statSync(file)
    // A pipe would be waited for without end.
    if (!found.isFile()) return undefined
    if (found.size <= mostBytes) return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  throw new CliError(
    `Cannot read the test results in ${file}: the file is larger than ${mostBytes / 2 ** 20} MiB; leave out of it what tests print`,
    5,
  )
}

/** A tag with its attributes, from its `<` on. */
const tagPattern = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y

/** What may contain anything, by how it begins, and how it ends. */
const opaque = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
] as const

/** The tags of a text, in their order; none after what never ends. */
function* tagsIn(text: string): Generator<RegExpExecArray> {
  let at = text.indexOf('<')
  while (at >= 0) {
    const [begin, end] = opaque.find(([begin]) => text.startsWith(begin, at)) ?? []
    let next = at + 1
    if (begin === undefined) {
      tagPattern.lastIndex = at
      const tag = tagPattern.exec(text)
      if (tag !== null) {
        yield tag
        next = at + tag[0].length
      }
    } else {
      const endsAt = text.indexOf(end, at + begin.length)
      if (endsAt < 0) return
      next = endsAt + end.length
    }
    at = text.indexOf('<', next)
  }
}

/** Reads the results of tests from the text of a JUnit file. */
export function parseJunit(text: string): JunitResults {
  const results = new Map<string, TestResult>()
  const timedOut = new Set<string>()
  let failure: TestFailure | undefined
  let test: { readonly name: string; result: TestResult | 'skipped'; message: string } | undefined
  const note = (): void => {
    if (test === undefined || test.result === 'skipped') return
    if (results.get(test.name) !== 'failed') results.set(test.name, test.result)
    if (test.result !== 'failed') return
    failure ??= { test: test.name, message: test.message }
    if (/\btime(?:d[ -]?)?[ -]?out\b/i.test(test.message)) timedOut.add(test.name)
  }
  for (const found of tagsIn(text)) {
    const [, closing, tag, attributes = '', empty] = found
    if (tag === 'testcase') {
      if (closing === '') test = { name: nameIn(attributes), result: 'passed', message: '' }
      if (closing === '/' || empty === '/') {
        note()
        test = undefined
      }
    } else if (test !== undefined && closing === '') {
      if (tag === 'failure' || tag === 'error') {
        test.result = 'failed'
        test.message ||= firstLine(attribute(attributes, 'message') || textAfter(found))
      }
      if (tag === 'skipped' && test.result === 'passed') test.result = 'skipped'
    }
  }
  return { results, failure, timedOut }
}

/** How much of the text of a failure is looked at for its first line, in characters. */
const mostText = 4_096

/** The text right after a tag. */
function textAfter({ 0: tag, index, input }: RegExpExecArray): string {
  const text = input.slice(index + tag.length, index + tag.length + mostText).trimStart()
  const [begin, end] = opaque[0]
  if (text.startsWith(begin)) return text.slice(begin.length).split(end, 1)[0] ?? ''
  return unescapeXml(text.split('<', 1)[0] ?? '')
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0]?.trim() ?? ''
}

/** The name of a test, after that of its file or class, unless that says nothing more. */
function nameIn(attributes: string): string {
  const [name, place] = [attribute(attributes, 'name'), attribute(attributes, 'classname')]
  // Node's runner calls every class "test".
  const isVague = place === '' || place === 'test' || name.startsWith(place)
  return isVague ? name : `${place} > ${name}`
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return unescapeXml(found?.[1] ?? found?.[2] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
