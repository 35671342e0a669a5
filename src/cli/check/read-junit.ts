import { stripVTControlCharacters } from 'node:util'
import { SaxesParser } from 'saxes'
import type { TestResult } from '../../checks/assumptions/assumption-search.ts'
import { isFile, readBytes } from '../files.ts'

/** Results in a JUnit file. */
export interface JunitResults {
  /** Results by name; if several tests have the same name, a failure counts. */
  readonly results: ReadonlyMap<string, TestResult>
  /** First test that failed. */
  readonly failure: TestFailure | undefined
}

/** Test that failed, with its runner's message in one line. */
export interface TestFailure {
  readonly test: string
  readonly message: string
}

/**
 * Reads test results from JUnit XML; `undefined` if the file doesn't exist or contains no results.
 *
 * @throws {@link CliError} for a file that is too large.
 */
export async function readJunit(file: string): Promise<JunitResults | undefined> {
  if (!isFile(file)) return undefined
  const read = parseJunit((await readBytes(file)).toString('utf8'))
  return read.results.size === 0 ? undefined : read
}

/** Parses the test results in the text of a JUnit file. */
export function parseJunit(text: string): JunitResults {
  const results = new Map<string, TestResult>()
  let failure: TestFailure | undefined
  let test: { readonly name: string; result: TestResult | 'skipped'; message: string } | undefined
  let isInFailure = false
  const say = (message: string): void => {
    if (isInFailure && test !== undefined) test.message = shorter(test.message, firstLine(message))
  }
  // Output of tests may contain characters that only XML 1.1 allows.
  const parser = new SaxesParser({
    fragment: true,
    xmlns: false,
    defaultXMLVersion: '1.1',
    forceXMLVersion: true,
  })
  // Readable parts of an invalid file count.
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'testcase') test = { name: nameIn(attributes), result: 'passed', message: '' }
    if (test === undefined) return
    isInFailure = name === 'failure' || name === 'error'
    if (isInFailure) test.result = 'failed'
    say(attributes.message ?? '')
    if (name === 'skipped' && test.result === 'passed') test.result = 'skipped'
  })
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('closetag', ({ name }) => {
    isInFailure = false
    if (name !== 'testcase' || test === undefined) return
    const { name: tested, result, message } = test
    test = undefined
    if (result === 'skipped') return
    if (results.get(tested) !== 'failed') results.set(tested, result)
    if (result !== 'failed') return
    failure ??= { test: tested, message }
  })
  parser.write(text).close()
  return { results, failure }
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0]?.trim() ?? ''
}

/**
 * Returns the message of a test, or the line in which its details repeat the beginning of it, perhaps after the name of
 * the error: XML turns line breaks of an attribute into spaces.
 */
function shorter(message: string, line: string): string {
  if (message === '') return line
  const repeated = line.replace(/^[\w.]+: /, '')
  return repeated !== '' && message.startsWith(`${repeated} `) ? repeated : message
}

/** Returns the name of a test, after that of its file or class unless that is redundant. */
function nameIn({ name = '', classname = '' }: Readonly<Record<string, string>>): string {
  // Node's runner calls every class "test".
  const isVague = classname === '' || classname === 'test' || name.startsWith(classname)
  return isVague ? name : `${classname} > ${name}`
}
