import { readFileSync, statSync } from 'node:fs'
import type { TestResult } from '../../../explore/suite/observation.ts'

/** Reads test results from JUnit XML, by name; `undefined` if there is no such file, or none in it. */
export function readJunit(file: string): ReadonlyMap<string, TestResult> | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  const results = testResults(text)
  return results.size === 0 ? undefined : results
}

function textOf(file: string): string | undefined {
  try {
    // A pipe would be waited for without end.
    if (!statSync(file).isFile()) return undefined
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** What may contain anything, and tags with their attributes. */
const token =
  /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g

/** Reads the results of tests from the text of a JUnit file; of tests with the same name, one that failed counts. */
export function testResults(text: string): ReadonlyMap<string, TestResult> {
  const results = new Map<string, TestResult>()
  let test: { readonly name: string; result: TestResult | 'skipped' } | undefined
  const note = (): void => {
    if (test === undefined || test.result === 'skipped') return
    if (results.get(test.name) !== 'failed') results.set(test.name, test.result)
  }
  for (const [, closing, tag, attributes = '', empty] of text.matchAll(token)) {
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
