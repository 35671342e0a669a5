import { readFileSync, statSync } from 'node:fs'
import type { TestResult } from '../../../explore/suite/observation.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** The largest file that is read, in bytes. */
const mostBytes = 2 ** 26

/**
 * Reads test results from JUnit XML, by name; `undefined` if there is no such file, or none in it.
 *
 * @throws {@link CliError} for a file that is too large.
 */
export function readJunit(file: string): ReadonlyMap<string, TestResult> | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const results = testResults(text)
  return results.size === 0 ? undefined : results
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

/** Reads the results of tests from the text of a JUnit file; of tests with the same name, one that failed counts. */
export function testResults(text: string): ReadonlyMap<string, TestResult> {
  const results = new Map<string, TestResult>()
  let test: { readonly name: string; result: TestResult | 'skipped' } | undefined
  const note = (): void => {
    if (test === undefined || test.result === 'skipped') return
    if (results.get(test.name) !== 'failed') results.set(test.name, test.result)
  }
  for (const [, closing, tag, attributes = '', empty] of tagsIn(text)) {
    if (tag === 'testcase') {
      if (closing === '') test = { name: nameIn(attributes), result: 'passed' }
      if (closing === '/' || empty === '/') {
        note()
        test = undefined
      }
    } else if (test !== undefined && closing === '') {
      if (tag === 'failure' || tag === 'error') test.result = 'failed'
      if (tag === 'skipped' && test.result === 'passed') test.result = 'skipped'
    }
  }
  return results
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
