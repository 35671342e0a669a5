import { execFileSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../../src/checks/reports/formats.ts'
import type { Level, Report } from '../../../../src/checks/reports/report.ts'
import { markdownText, printable } from '../../../../src/checks/reports/text.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const report: Report = {
  title: 'Coverage',
  summary: '1 of 2 covered (50 %)',
  layout: 'lines',
  groups: [
    {
      name: 'outcomes',
      summary: '1 of 2 covered (50 %)',
      items: [
        { name: 'listPets 200', level: 'ok', state: 'covered', text: 'by lists pets' },
        {
          name: 'getPet 404',
          level: 'error',
          state: 'not covered',
          text: '',
          code: 'await client().getPet(999)',
        },
        {
          name: 'n-plus-one',
          level: 'info',
          state: 'info',
          text: '12 getPet for pets whom list 3 had shown',
          notes: { clause: '2' },
        },
      ],
    },
    { name: 'gaps', summary: 'nothing', items: [] },
  ],
  json: { covered: 1, large: 2n ** 60n },
}

/** What a client may send as a name, and a test may be called. */
const hostile = [
  '<script>alert(1)</script>',
  '</testcase></testsuite>]]>',
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  '&lt;b&gt; &#0; &amp',
  '| a | b |\n| --- | --- |',
  '[click](javascript:alert(1)) ![x](http://evil.test/x.png) <http://evil.test>',
  '`code` **bold** _it_ ~~gone~~ $x$ @somebody',
  '# heading\n\n- list\n1. one',
  '::error::stop\r\n::add-mask::x',
  '%0A::warning::x',
  'a\u0000b\u0007c\u001b[31md\u001b]0;title\u0007',
  '\ud800 lone \uffff \ufffe',
  '\u2028\u2029\u202e',
]

function reportOn(text: string): Report {
  const item = { name: text, state: text, text, notes: { [text]: text }, code: text }
  const levels = ['ok', 'info', 'warning', 'error'] as const
  const items = levels.map((level) => ({ ...item, level }))
  const groups = [{ name: text, summary: text, items }]
  return { title: text, summary: text, layout: 'lines', json: text, groups }
}

describe('a pretty report', () => {
  it('puts what is not as it should be first, with what to do', () => {
    expect(reportFormats.pretty(report)).toBe(`Coverage: 1 of 2 covered (50 %)

  outcomes  1 of 2 covered (50 %)
  gaps      nothing

outcomes
  getPet 404    not covered  await client().getPet(999)
  n-plus-one    info         12 getPet for pets whom list 3 had shown; clause: 2
  listPets 200  covered      by lists pets`)
  })

  it('has a paragraph for each item where there is more to say, and names the rest', () => {
    const shown = reportFormats.pretty({ ...report, layout: 'paragraphs' })
    expect(shown).toBe(`Coverage: 1 of 2 covered (50 %)

not covered  getPet 404
  await client().getPet(999)

info  n-plus-one
  12 getPet for pets whom list 3 had shown
  clause: 2

covered  listPets 200
  by lists pets`)
  })

  it('is a card where a few items are what matters, each with a line to copy', () => {
    const long = 'It takes more than a single line of a terminal to say what has been found here.'
    const items = [
      ...(report.groups[0]?.items ?? []),
      { name: 'listPets 429', level: 'info', state: 'not covered', text: long } as const,
    ]
    const groups = [{ name: 'outcomes', summary: '1 of 2 covered (50 %)', items }]
    expect(
      reportFormats.pretty({ ...report, layout: 'card', groups }),
    ).toBe(`Coverage: 1 of 2 covered (50 %)

outcomes: 1 of 2 covered (50 %)
  not covered getPet 404
     await client().getPet(999)
  covered      listPets 200  by lists pets
  info         n-plus-one    12 getPet for pets whom list 3 had shown
  not covered  listPets 429  It takes more than a single line of a terminal to
                             say what has been found here.`)
  })

  it.each(hostile)('lets no text control the terminal: %j', (text) => {
    for (const layout of ['lines', 'paragraphs', 'card'] as const) {
      const shown = reportFormats.pretty({ ...reportOn(text), layout }).replaceAll('\n', '')
      expect(shown).not.toMatch(/\p{Cc}/u)
    }
  })
})

describe('a JSON report', () => {
  it('is the data, digit for digit', () => {
    expect(reportFormats.json(report)).toBe('{"covered":1,"large":1152921504606846976}')
  })

  it.each(hostile)('is the same text to who reads it, and controls no terminal: %j', (text) => {
    const json = reportFormats.json(reportOn(`${text}\u009b31m\u007f`))
    expect(JSON.parse(json)).toBe(`${text}\u009b31m\u007f`)
    expect(json).not.toMatch(/\p{Cc}/u)
  })
})

describe('a JUnit report', () => {
  it('has a suite for each group, in which only errors have failed', () => {
    expect(reportFormats.junit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Coverage" tests="3" failures="1" errors="0" skipped="1">
  <testsuite name="outcomes" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="Coverage.outcomes" name="listPets 200"><system-out>by lists pets</system-out></testcase>
    <testcase classname="Coverage.outcomes" name="getPet 404"><failure type="error" message="not covered">await client().getPet(999)</failure></testcase>
    <testcase classname="Coverage.outcomes" name="n-plus-one"><skipped message="info: 12 getPet for pets whom list 3 had shown"/><system-out>12 getPet for pets whom list 3 had shown
clause: 2</system-out></testcase>
  </testsuite>
</testsuites>`)
  })

  it('is XML whatever the texts are', () => {
    const script = `import json, sys, xml.etree.ElementTree as tree
print(json.dumps([[case.get('name') for case in tree.fromstring(text).iter('testcase')] for text in json.load(sys.stdin)]))`
    const input = JSON.stringify(hostile.map((text) => reportFormats.junit(reportOn(text))))
    const names = JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
    const legible = hostile.map((text) =>
      // A parser makes a blank of each line break in an attribute.
      text
        .toWellFormed()
        .replace(/[\ufffe\uffff]/g, '\ufffd')
        .split('\n')
        .map(printable)
        .join(' '),
    )
    expect(names).toEqual(legible.map((text) => Array(4).fill(text)))
  })
})

describe('a GitHub report', () => {
  it('has a command for each error and warning, and a notice in the end', () => {
    expect(
      reportFormats.github(report),
    ).toBe(`::error title=getPet 404::not covered%0Aawait client().getPet(999)
::notice title=Coverage::1 of 2 covered (50 %25)`)
  })

  it.each(hostile)('lets no text be a command of its own: %j', (text) => {
    const lines = reportFormats.github(reportOn(text)).split(/[\r\n]/)
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toMatch(/\p{Cc}/u)
    for (const line of lines) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::/)
    }
  })
})

describe('a Markdown report', () => {
  it('has a list for each group, which reads well as it is', () => {
    expect(reportFormats.markdown(report)).toBe(`## Coverage

1 of 2 covered (50 %)

### outcomes: 1 of 2 covered (50 %)

- listPets 200: covered
  - by lists pets
- getPet 404: not covered
  - \`await client().getPet(999)\`
- n-plus-one: info
  - 12 getPet for pets whom list 3 had shown
  - clause: 2

### gaps: nothing`)
  })

  it('numbers items whose state is a number, and shortens those that are brief', () => {
    const item = { name: 'a', level: 'error', text: 'why', code: 'npx b' } as const
    const items = [
      { ...item, state: '1.' },
      { ...item, state: '2.', brief: 'what to do' },
    ]
    const groups = [{ name: 'fix first', summary: '1 of 2', items }]
    expect(reportFormats.markdown({ ...report, groups })).toContain(`### fix first: 1 of 2

1. a
   - why
   - \`npx b\`
2. a: what to do`)
  })

  it('leaves plain characters as they are', () => {
    const text =
      'docs/reference/audit-rules.md#retry: AbortSignal.timeout(5_000) > 1 & $PETSTORE_API_URL (5 - 3 = 2)'
    expect(markdownText(text)).toBe(text)
  })

  it.each(hostile)('shows a text as it is, and nothing else: %j', (text) => {
    const html = String(marked.parse(reportFormats.markdown(reportOn(text))))
    const tags = new Set([...html.matchAll(/<\/?([^ >]*)[^>]*>/g)].map(([, tag]) => tag))
    expect([...tags].sort()).toEqual(['code', 'h2', 'h3', 'li', 'p', 'ul'])
    const shown = plainText(String(marked.parse(`- ${markdownText(text)}`)))
    const legible = text.toWellFormed().replace(/\s+/g, ' ').trim()
    expect(shown).toBe(printable(legible).replace(/[\ufffe\uffff]/gu, '\ufffd'))
  })

  it('shows random texts of markup as they are', () => {
    const signs = ['<', '>', '&lt;', '`', '*', '_', '[', '](', '!', '#', '@', '\\', '~', '$', '|']
    const others = ['-', '+', '1.', 'a', 'b2', ' ', 'http://x.y', 'www.a.b', ':', '=', '.', '\n']
    const sometimes = new Sometimes('markup', 'an address')
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...signs, ...others), { minLength: 1, maxLength: 8 }),
        (parts) => {
          const text = `a${parts.join('')}`
          const html = String(marked.parse(`- ${markdownText(text)}`))
          expect(html.replace(/<\/?(?:ul|li|code)>/g, '')).not.toMatch(/[<>]/)
          expect(plainText(html)).toBe(text.replace(/\s+/g, ' ').trim())
          sometimes.meet({
            markup: /(\*|_|`).+\1/.test(text),
            'an address': text.includes('http://x.y'),
          })
        },
      ),
      { numRuns: draws(150) },
    )
    sometimes.expectAllMet()
  })
})

/** The text of a piece of HTML. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()
}

describe('colours', () => {
  it('mark the states of what is wrong and right, and change no column', () => {
    const paint = (level: Level, text: string): string =>
      `\u001b[3${level.length}m${text}\u001b[39m`
    for (const layout of ['lines', 'paragraphs', 'card'] as const) {
      const plain = reportFormats.pretty({ ...report, layout })
      const painted = reportFormats.pretty({ ...report, layout }, paint)
      expect(painted).toContain('\u001b[35mnot covered\u001b[39m')
      expect(stripVTControlCharacters(painted)).toBe(plain)
    }
  })
})

describe('what would control a terminal', () => {
  const text = 'a\u0000b\u001b[31mc\u007f\u009bd\u202ee\u2066f\u2028g\ufffeh'

  it.each(Object.entries(reportFormats))('is in no report: %s', (_name, format) => {
    const written = format(reportOn(text)).replaceAll('\n', '')
    expect(written).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
    expect(written).toContain(String.raw`e\u2066f`)
  })

  it('is read from JSON as it was', () => {
    expect(JSON.parse(reportFormats.json(reportOn(text)))).toBe(text)
  })
})
