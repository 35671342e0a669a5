import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { ruleNames } from '../../../src/checks/audit/rules.ts'
import { gapNames, gaps } from '../../../src/mock/api/gaps.ts'
import {
  checkList,
  commandList,
  faultTable,
  gapList,
  limitList,
  optionLists,
  ruleSections,
  sampleCheck,
  scenarioTable,
  sharedFaultSettings,
} from '../../kit/document-tables.ts'
import { expectComplete } from '../../kit/expect-complete.ts'
import { llmsText } from '../../kit/llms-text.ts'
import { codeBlock, codeOf } from '../../kit/markdown.ts'

const root = new URL('../../../', import.meta.url)

/** Gives what stands between two markers. */
type Section = () => string | Promise<string>

/** A sample, which a test beside it runs. */
const sample =
  (file: string): Section =>
  () => {
    const [path = file] = globSync(`test/*/readme/${file}`, { cwd: root })
    return codeOf(path)
  }

/** What client libraries do; `clients.test.ts`, `clients-in-pages.test.ts` and `test_libraries.py` hold it. */
const tableIn = (file: string): string =>
  textOf(`test/nightly/checks/audit/clients/${file}`).trimEnd()

/** Commands, which `test/process/readme/shell.test.ts` types into a shell. */
const commands = (file: string): Section => sample(`shell/${file}`)

/** The generated sections of each document, by the names of their markers. */
const documents: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  'README.md': {
    'first-request': commands('first-request.sh'),
    'first-429': commands('first-429.sh'),
    vitest: sample('vitest.test.ts'),
    mocks: sample('page/mocks.ts'),
    qa: commands('qa.sh'),
    check: commands('check.sh'),
  },
  'AGENTS.md': {
    vitest: sample('agents.test.ts'),
    beside: commands('agents-exec.sh'),
    limits: commands('agents-limits.sh'),
    server: commands('agents-server.sh'),
    why: commands('agents-why.sh'),
    findings: commands('check.sh'),
    replay: commands('agents-replay.sh'),
  },
  'docs/guides/frontend.md': {
    'vite-config': sample('page/vite.config.ts'),
    mocks: sample('page/mocks.ts'),
    main: sample('page/main.ts'),
    'dev-server': sample('dev-server/vite.config.ts'),
    console: () =>
      codeBlock('js', readFileSync(new URL('test/browser/readme/page/console.txt', root), 'utf8')),
  },
  'docs/guides/tests.md': {
    vitest: sample('vitest.test.ts'),
    jest: sample('jest-sample.js'),
    'jest-config': sample('jest.config.js'),
    playwright: sample('playwright.spec.ts'),
    'node-test': sample('node-test.js'),
    msw: sample('msw.test.ts'),
    time: sample('time.test.ts'),
    matchers: sample('matchers.test.ts'),
  },
  'docs/guides/server.md': {
    start: commands('start.sh'),
    'while-it-runs': commands('while-it-runs.sh'),
    follow: commands('follow.sh'),
    har: commands('har.sh'),
    'start-state': commands('start-state.sh'),
    snapshot: commands('snapshot.sh'),
    'start-seed': commands('start-seed.sh'),
    'start-named': commands('start-named.sh'),
    named: commands('named.sh'),
    exec: commands('exec.sh'),
    'start-static': commands('start-static.sh'),
    'start-tls': commands('start-tls.sh'),
    server: sample('server.test.ts'),
  },
  'docs/guides/simulate-failures.md': {
    'scenario-commands': commands('scenarios.sh'),
    scenarios: scenarioTable,
    sample: sample('lost-response.test.ts'),
    commands: commands('faults.sh'),
    faults: faultTable,
  },
  'docs/guides/check-your-client.md': {
    check: commands('check.sh'),
    report: sampleCheck,
    full: commands('check-full.sh'),
    known: commands('check-known.sh'),
    smoke: sample('smoke.mjs'),
    'smoke-python': sample('smoke.py'),
    results: sample('results.jsonl'),
    from: commands('check-from.sh'),
    workflow: sample('audit-workflow.yml'),
    exceptions: sample('audit-config.json'),
  },
  'docs/guides/where-the-spec-is-silent.md': {
    commands: commands('gaps.sh'),
    'exec-gaps': commands('exec-gaps.sh'),
    assumptions: commands('check-assumptions.sh'),
  },
  'docs/guides/page-states.md': { states: sample('states.spec.ts') },
  'docs/guides/record-and-replay.md': {
    exec: commands('capture-exec.sh'),
    capture: commands('capture.sh'),
    open: commands('open.sh'),
    serve: commands('replay-serve.sh'),
    forms: commands('replay-vitest.sh'),
  },
  'docs/guides/compare-with-the-real-service.md': {
    commands: commands('calibrate.sh'),
  },
  'docs/guides/integrations.md': {
    demo: sample('demo/mocks.ts'),
    ssr: sample('ssr/mocks.ts'),
    storybook: sample('storybook/preview.js'),
    stories: sample('storybook/pets.stories.js'),
    tanstack: sample('page/petstore-plugin.tsx'),
    next: sample('next/route.ts'),
    'cypress-config': sample('cypress/cypress.config.js'),
    'cypress-test': sample('cypress/limits.cy.js'),
    python: sample('python/test_client.py'),
  },
  'docs/reference/api.md': Object.fromEntries(
    [...new Set(gapNames.map((name) => gaps[name].spec))].map((clause) => [
      `gaps-${clause.replace('.', '-')}`,
      () => gapList(clause),
    ]),
  ),
  'docs/reference/audit-rules.md': {
    commands: commands('findings.sh'),
    rules: () => ruleSections(textOf('docs/reference/audit-rules.md')),
    checks: checkList,
  },
  'docs/reference/command-line.md': {
    others: commandList,
    options: optionLists,
    limits: limitList,
    completion: commands('completion.sh'),
  },
  'docs/reference/control-api.md': {
    control: commands('control.sh'),
    token: commands('token.sh'),
    client: sample('client.test.ts'),
  },
  'docs/reference/popular-libraries.md': {
    libraries: () => `${tableIn('libraries.md')}\n${tableIn('python/requests.md')}`,
    values: () => `${tableIn('values.md')}\n${tableIn('python/values.md')}`,
    'in-pages': () => tableIn('in-pages.md'),
  },
}

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** Finds the section after a marker: its block of code, or all up to the marker that ends it. */
const sectionAfter = (name: string): RegExp =>
  new RegExp(
    `(?<=^<!-- ${name} -->\n\n)(?:\`\`\`[\\s\\S]*?^\`\`\`$|[\\s\\S]*?(?=\n\n^<!-- /${name} -->$))`,
    'm',
  )

/** Gives a document with its sections written anew. */
async function written(path: string): Promise<string> {
  let text = textOf(path)
  for (const [name, section] of Object.entries(documents[path] ?? {})) {
    if (!sectionAfter(name).test(text)) throw new Error(`Cannot write ${path}: it has no ${name}`)
    const wanted = await section()
    text = text.replace(sectionAfter(name), () => wanted)
  }
  return text
}

describe.each(Object.keys(documents))('%s', (path) => {
  it('has what the code says; npm run docs writes it anew', async () => {
    await expect(await written(path)).toMatchFileSnapshot(`../../../${path}`)
  })

  it('has no section that nothing writes', () => {
    expectComplete({
      found: Object.keys(documents[path] ?? {}),
      needed: [...textOf(path).matchAll(/^<!-- ([\w-]+) -->$/gm)].map(([, name = '']) => name),
      what: 'a section',
      where: 'the documents of test/unit/readme/documents.test.ts',
    })
  })

  it('has no code that no test runs', () => {
    const names = Object.keys(documents[path] ?? {})
    const outside = names.reduce((text, name) => text.replace(sectionAfter(name), ''), textOf(path))
    const blocks = [...outside.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
    // Only what sets a project up, which a test has done already.
    expect(
      blocks.filter(
        (code) => !/^(?:npm (?:ci|install)|npx msw init|pnpm add|yarn add) /.test(code),
      ),
    ).toEqual([])
  })
})

describe.each(['AGENTS.md', 'docs/reference/api.md'])('%s', (path) => {
  it('has each key of the default seed', () => {
    const keys = JSON.parse(textOf('fixtures/keys.json')) as readonly { readonly key: string }[]
    const text = textOf(path)
    expect(keys.filter(({ key }) => !text.includes(`\`${key}\``))).toEqual([])
  })
})

describe('llms.txt', () => {
  it('is the index of the documents; npm run docs writes it anew', async () => {
    const text = llmsText(textOf('docs/README.md'), 'docs', manifest.description)
    await expect(text).toMatchFileSnapshot('../../../llms.txt')
  })
})

describe('docs/guides/simulate-failures.md', () => {
  it('has each setting that all faults share', () => {
    const text = textOf('docs/guides/simulate-failures.md')
    expect(sharedFaultSettings().filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([])
  })
})

describe('docs/reference/audit-rules.md', () => {
  it.each(ruleNames)('says why of %s', (name) => {
    const [, section = ''] = textOf('docs/reference/audit-rules.md').split(`\n### ${name}\n`)
    const hint = 'write its Why into the section that npm run docs adds'
    expect(section.split('\n#')[0], hint).toContain('\n- **Why**: ')
  })
})
