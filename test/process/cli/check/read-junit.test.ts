import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJunit, readJunit } from '../../../../src/cli/check/read-junit.ts'
import { testFolder } from '../../../kit/cli-process.ts'

/** What test runners write, shortened. */
const reports = [
  {
    runner: 'Vitest',
    text: `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="3" failures="1" errors="0" time="0.01">
  <testsuite name="test/pets.test.ts" tests="3" failures="1">
    <testcase classname="test/pets.test.ts" name="pets &gt; are listed" time="0.002">
    </testcase>
    <testcase classname="test/pets.test.ts" name="pets &gt; are &quot;added&quot;" time="0.004">
      <failure message="expected 1 to be 2" type="AssertionError">at &lt;testcase&gt;</failure>
    </testcase>
    <testcase classname="test/pets.test.ts" name="pets &gt; fly"><skipped/></testcase>
  </testsuite>
</testsuites>`,
    results: {
      'test/pets.test.ts > pets > are listed': 'passed',
      'test/pets.test.ts > pets > are "added"': 'failed',
    },
    message: 'expected 1 to be 2',
  },
  {
    runner: 'jest-junit',
    text: `<testsuites name="jest tests"><testsuite name="pets">
      <testcase classname="pets are listed" name="pets are listed" time="0.1"></testcase>
      <testcase classname="pets are added" name="pets are added"><failure>Error: <![CDATA[</failure></testcase><testcase name="no test"/>]]></failure></testcase>
    </testsuite></testsuites>`,
    results: { 'pets are listed': 'passed', 'pets are added': 'failed' },
    message: 'Error:',
  },
  {
    runner: 'Playwright',
    text: `<testsuites id="" name=""><testsuite name="pets.spec.ts" hostname="chromium">
      <testcase name="pets › are listed" classname="pets.spec.ts" time="1.2"><system-out><![CDATA[<failure>]]></system-out></testcase>
      <testcase name="pets › are added" classname="pets.spec.ts" time="1"><error message='it&apos;s &#39;gone&#x27;'/></testcase>
    </testsuite></testsuites>`,
    results: {
      'pets.spec.ts > pets › are listed': 'passed',
      'pets.spec.ts > pets › are added': 'failed',
    },
    message: "it's 'gone'",
  },
  {
    runner: 'pytest',
    text: `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="1">
      <testcase classname="tests.test_pets" name="test_list" time="0.001" /><!-- <testcase name="none"/> -->
      <testcase classname="tests.test_pets" name="test_add[a&#10;b]"><failure message="x"/></testcase>
    </testsuite></testsuites>`,
    results: {
      'tests.test_pets > test_list': 'passed',
      'tests.test_pets > test_add[a\nb]': 'failed',
    },
    message: 'x',
  },
  {
    runner: 'Vitest with Testing Library, whose attribute loses its line breaks',
    text: `<testsuites><testsuite name="a.test.ts"><testcase classname="a.test.ts" name="lists"/>
      <testcase classname="a.test.ts" name="adds"><failure message="Unable to find role=&quot;listitem&quot;

Ignored nodes: comments
[36m&lt;body /&gt;[39m" type="TestingLibraryElementError">
TestingLibraryElementError: Unable to find role=&quot;listitem&quot;

Ignored nodes: comments
&lt;body /&gt;
 ❯ a.test.ts:9:14
      </failure></testcase></testsuite></testsuites>`,
    results: { 'a.test.ts > lists': 'passed', 'a.test.ts > adds': 'failed' },
    message: 'Unable to find role="listitem"',
  },
  {
    runner: 'Node',
    text: `<testsuites><testcase name="lists" classname="test" file="a.js"/>
      <testsuite name="adds"><testcase name="one" classname="test"><failure type="x">y</failure></testcase></testsuite></testsuites>`,
    results: { lists: 'passed', one: 'failed' },
    message: 'y',
  },
]

describe('parseJunit()', () => {
  it.each(reports)('reads what $runner writes', ({ text, results, message }) => {
    const read = parseJunit(text)
    expect(Object.fromEntries(read.results)).toEqual(results)
    const [, test] = Object.keys(results)
    expect(read.failure).toEqual(message === undefined ? undefined : { test, message })
  })

  it.each([
    '<testcase name="a"><failure message="&#27;[31mred&#27;[39m&#10;more"/></testcase>',
    '<testcase name="a"><error><![CDATA[\n  \u001b[31mred\n]]></error></testcase>',
    '<testcase name="a"><failure>red\n  at &lt;b&gt;</failure></testcase><testcase name="b"><failure/></testcase>',
  ])('takes the first line of the first failure, without escape codes: %j', (text) => {
    expect(parseJunit(text).failure).toEqual({ test: 'a', message: 'red' })
  })

  it('takes a test for failed that failed once under its name', () => {
    const text =
      '<testcase name="a"><failure/></testcase><testcase name="a"/><testcase name="a"></testcase>'
    expect([...parseJunit(text).results]).toEqual([['a', 'failed']])
  })

  it.each(['', '<', '<testcase', '<testcase name="a">', '{}', '<!DOCTYPE html><html></html>'])(
    'finds no test in %j',
    (text) => {
      expect(parseJunit(text).results.size).toBe(0)
    },
  )
})

describe('readJunit()', () => {
  it('gives nothing for a file that is not there, or has no test', async () => {
    const file = join(testFolder(), 'out.xml')
    expect(await readJunit(file)).toBeUndefined()
    writeFileSync(file, '<testsuites/>')
    expect(await readJunit(file)).toBeUndefined()
  })

  it('does not wait for a pipe', async () => {
    const pipe = join(testFolder(), 'pipe')
    spawnSync('mkfifo', [pipe])
    expect(await readJunit(pipe)).toBeUndefined()
  })
})
