import { stripVTControlCharacters } from 'node:util'
import { SaxesParser } from 'saxes'
import type { TestResult } from '../../checks/assumptions/observation.ts'
import { isFile, readBytes } from '../files.ts'

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
export async function readJunit(file: string): Promise<JunitResults | undefined> {
  if (!isFile(file)) return undefined
  const read = parseJunit((await readBytes(file)).toString('utf8'))
  return read.results.size === 0 ? undefined : read
}

/** Reads the results of tests from the text of a JUnit file. */
export function parseJunit(text: string): JunitResults {
  const results = new Map<string, TestResult>()
  const timedOut = new Set<string>()
  let failure: TestFailure | undefined
  let test: { readonly name: string; result: TestResult | 'skipped'; message: string } | undefined
  let isInFailure = false
  const say = (message: string): void => {
    if (isInFailure && test !== undefined) test.message ||= firstLine(message)
  }
  // What tests print may have characters that only this version knows.
  const parser = new SaxesParser({
    fragment: true,
    xmlns: false,
    defaultXMLVersion: '1.1',
    forceXMLVersion: true,
  })
  // What can be read counts.
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
    if (/\btime(?:d[ -]?)?[ -]?out\b/i.test(message)) timedOut.add(tested)
  })
  parser.write(text).close()
  return { results, failure, timedOut }
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0]?.trim() ?? ''
}

/** The name of a test, after that of its file or class, unless that says nothing more. */
function nameIn({ name = '', classname = '' }: Readonly<Record<string, string>>): string {
  // Node's runner calls every class "test".
  const isVague = classname === '' || classname === 'test' || name.startsWith(classname)
  return isVague ? name : `${classname} > ${name}`
}
