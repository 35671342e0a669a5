import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withPlugin, withStart } from '../../../src/cli/init/edit-source.ts'
import { runCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

/** Files of a project, by their paths; `package.json` gets its development dependencies. */
function project(dependencies: readonly string[], files: Readonly<Record<string, string>>): string {
  const folder = testFolder()
  const devDependencies = Object.fromEntries(dependencies.map((name) => [name, '*']))
  const all = { 'package.json': JSON.stringify({ type: 'module', devDependencies }), ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

const sample = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const reactMain = `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './index.css'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(<App />)
`

const reactConfig = `import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
})
`

const react = ['vite', 'typescript', 'petstore-sandbox', 'msw']

describe('init', { tags: ['everyday'] }, () => {
  it('writes the mocks, edits main and the configuration of Vite, and adds a test', async () => {
    const cwd = project(react, { 'src/main.tsx': reactMain, 'vite.config.ts': reactConfig })
    const { code, stdout, stderr } = await runMain(['init', '--yes'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(read(cwd, 'src/mocks.ts')).toBe(sample('browser/readme/page/mocks.ts'))
    expect(read(cwd, 'src/main.tsx')).toBe(
      reactMain.replace(
        '\n\ncreateRoot',
        `\n
if (import.meta.env.DEV) {
  const { startMocks } = await import('./mocks.ts')
  await startMocks()
}\n
createRoot`,
      ),
    )
    expect(read(cwd, 'vite.config.ts')).toBe(
      reactConfig
        .replace("react'\n", "react'\nimport { petstore } from 'petstore-sandbox/vite'\n")
        .replace('[react()]', '[petstore({ worker: true }), react()]'),
    )
    expect(read(cwd, 'test/petstore.test.mjs')).toBe(sample('process/readme/node-test.js'))
    expect(stdout).toContain('Wrote 4 files.')
    expect(stdout.split('Next:\n')[1]).toBe('  npm run dev\n  node --test\n')
  })

  it('changes nothing a second time', async () => {
    const cwd = project(react, { 'src/main.tsx': reactMain, 'vite.config.ts': reactConfig })
    await runMain(['init', '--yes'], { cwd })
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(stdout).not.toMatch(/write|edit|Wrote/)
    expect(stdout.match(/^keep /gm)).toHaveLength(4)
  })

  it('only shows what it would write, without a terminal and without --yes', async () => {
    const cwd = project(react, { 'src/main.tsx': reactMain })
    const { code, stdout } = await runCli(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('write src/mocks.ts\n  + import { createSandbox }')
    expect(stdout).toContain('edit src/main.tsx\n  + if (import.meta.env.DEV) {')
    expect(stdout).toContain('Nothing is written. To write 4 files, run ')
    expect(read(cwd, 'src/main.tsx')).toBe(reactMain)
  })

  it('never overwrites a file, and prints the lines for one that it cannot edit', async () => {
    const files = {
      'src/main.js': "'use strict'\nrender()\n",
      'src/mocks.js': 'export const own = 1\n',
      'vite.config.js': 'export default () => ({ plugins: [] })\n',
      'test/petstore.test.mjs': 'own\n',
    }
    const cwd = project(['vite'], files)
    const { code, stdout } = await runMain(['init', '--yes'], { cwd })
    expect(code).toBe(0)
    for (const [path, text] of Object.entries(files)) expect(read(cwd, path)).toBe(text)
    expect(stdout).toMatch(
      /add to src\/main\.js yourself, before it renders:\n {4}if \(import\.meta\.env\.DEV\)/,
    )
    expect(stdout).toMatch(/add to vite\.config\.js yourself.*:\n {4}import \{ petstore \}/)
    expect(stdout).toContain('npm install --save-dev petstore-sandbox msw\n')
  })

  it.each([
    {
      dependencies: ['vitest', 'typescript'],
      file: 'test/petstore.test.ts',
      like: 'unit/readme/vitest.test.ts',
      run: 'npx vitest run',
    },
    {
      dependencies: ['jest'],
      file: 'test/petstore.test.js',
      like: 'nightly/readme/jest-sample.js',
      run: 'NODE_OPTIONS=--experimental-vm-modules npx jest',
    },
    {
      dependencies: ['@playwright/test', 'typescript'],
      file: 'tests/petstore.spec.ts',
      like: 'browser/readme/playwright.spec.ts',
      run: 'npx playwright test',
    },
    {
      dependencies: [],
      file: 'test/petstore.test.mjs',
      like: 'process/readme/node-test.js',
      run: 'node --test',
    },
  ])('adds the first test for $dependencies', async ({ dependencies, file, like, run }) => {
    const cwd = project(dependencies, {})
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(read(cwd, file)).toBe(sample(like))
    expect(stdout).toContain(`\n  ${run}\n`)
  })

  it('adds the preset for Jest with CommonJS', async () => {
    const cwd = project(['jest'], { 'package.json': '{ "devDependencies": { "jest": "*" } }' })
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(read(cwd, 'jest.config.js')).toBe(sample('nightly/readme/jest.config.js'))
    expect(stdout).toContain('@swc/core @swc/jest msw@2\n')
  })

  it.each([
    {
      name: 'ts-jest',
      files: { 'package.json': '{ "devDependencies": { "jest": "*", "ts-jest": "*" } }' },
      own: ['/shop/src/cart.ts', '/shop/src/cart.tsx'],
    },
    {
      name: 'babel-jest',
      files: { 'package.json': '{ "devDependencies": { "jest": "*" } }', '.babelrc': '{}' },
      own: ['/shop/src/cart.js', '/shop/src/cart.jsx'],
    },
  ])('leaves the code of a project to $name, but not packages', async ({ name, files, own }) => {
    const cwd = project([], files)
    await runMain(['init', '--yes'], { cwd })
    const { preset, transform } = createRequire(join(cwd, 'x.js'))('./jest.config.js')
    expect({ preset, by: Object.values(transform) }).toEqual({
      preset: 'petstore-sandbox/jest',
      by: [name],
    })
    const [pattern = ''] = Object.keys(transform)
    const matches = (path: string) => new RegExp(pattern).test(path)
    expect(own.filter(matches)).toEqual(own)
    expect(matches('/shop/node_modules/msw/lib/index.js')).toBe(false)
  })

  it('prints the lines for a configuration of Jest that exists', async () => {
    const files = {
      'package.json': '{ "devDependencies": { "jest": "*", "ts-jest": "*" } }',
      'jest.config.js': "module.exports = { preset: 'ts-jest' }\n",
    }
    const cwd = project([], files)
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(read(cwd, 'jest.config.js')).toBe(files['jest.config.js'])
    expect(stdout).toContain(`add to jest.config.js yourself, in place of a preset:
    preset: 'petstore-sandbox/jest',
    transform: { '\\\\.tsx?$': 'ts-jest' },
`)
  })

  it('prints them as JSON for a configuration in package.json', async () => {
    const devDependencies = { jest: '*', 'ts-jest': '*' }
    const cwd = project([], { 'package.json': JSON.stringify({ devDependencies, jest: {} }) })
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(stdout).toContain(`add to package.json yourself, under "jest", in place of a preset:
    "preset": "petstore-sandbox/jest",
    "transform": { "\\\\.tsx?$": "ts-jest" }
`)
  })

  it('leaves a configuration of Jest that has the preset', async () => {
    const jest = { preset: 'petstore-sandbox/jest' }
    const cwd = project([], {
      'package.json': JSON.stringify({ devDependencies: { jest: '*' }, jest }),
    })
    const { stdout } = await runMain(['init', '--yes'], { cwd })
    expect(stdout).toContain('\nkeep package.json\n')
  })

  it('copies the fixture for pytest', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'requirements-dev.txt'), 'pytest>=8\n')
    mkdirSync(join(folder, 'tests'))
    const { code } = await runMain(['init', '--yes'], { cwd: folder })
    expect(code).toBe(0)
    expect(
      sample('nightly/readme/python/test_client.py').replace(
        '.error import HTTPError\nfrom urllib',
        '',
      ),
    ).toContain(read(folder, 'tests/conftest.py'))
    expect(read(folder, 'tests/test_petstore.py')).toContain('def test_')
  })

  it('rejects a folder that is no project', async () => {
    expect(await runMain(['init'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'petstore-sandbox: Cannot set up the project: this folder has no package.json; run init where it is\n',
    })
  })
})

describe('withStart()', () => {
  const start = "if (import.meta.env.DEV) {\n  const { startMocks } = await import('./mocks')\n"

  it.each([
    { what: 'Vue', text: "import { createApp } from 'vue'\nimport './style.css'\n\ncreateApp()\n" },
    { what: 'many lines', text: "import {\n  a,\n  b as c,\n} from 'x'\nrun()\n" },
    { what: 'comments', text: "/* one */ // two\nimport 'x' // three\n\nrun('import')\n" },
    { what: 'a type', text: "import type { A } from 'x'\nimport b, * as c from 'y'\nrun()\n" },
  ])('inserts after the imports: $what', ({ text }) => {
    const [imports = ''] = /^[\s\S]*'(?: \/\/ three)?\n(?=\n?(?:run|createApp))/.exec(text) ?? []
    const result = withStart(text, './mocks') ?? ''
    expect(result.startsWith(`${imports}\n${start}`)).toBe(true)
    expect(result.endsWith(text.slice(imports.length - 1))).toBe(true)
  })

  it('keeps semicolons and line ends', () => {
    expect(withStart("import 'x';\r\nrun();\r\n", './mocks')).toBe(
      "import 'x';\r\n\r\nif (import.meta.env.DEV) {\r\n  const { startMocks } = await import('./mocks');\r\n  await startMocks();\r\n}\r\nrun();\r\n",
    )
  })

  it.each([
    { what: 'no import', text: 'run()\n' },
    { what: 'a directive', text: "'use strict'\nimport 'x'\n" },
    { what: 'attributes on the next line', text: "import a from 'x'\nwith { type: 'json' }\n" },
    { what: 'an import in a comment', text: "/* a */ run() /* b */\n// import 'x'\nimport 'y'\n" },
  ])('leaves what it cannot read for sure: $what', ({ text }) => {
    expect(withStart(text, './mocks')).toBeUndefined()
  })
})

describe('withPlugin()', () => {
  const added = "import { petstore } from 'petstore-sandbox/vite'"

  it.each([
    {
      what: 'an empty list',
      text: 'export default { plugins: [] }',
      result: `${added}\n\nexport default { plugins: [petstore({ worker: true })] }`,
    },
    {
      what: 'a list over lines, after other properties',
      text: "import a from 'a'\nexport default defineConfig({\n  base: '/x/', // y\n  plugins: [\n    a(),\n  ],\n})\n",
      result: `import a from 'a'\n${added}\nexport default defineConfig({\n  base: '/x/', // y\n  plugins: [\n    petstore({ worker: true }),\n    a(),\n  ],\n})\n`,
    },
    {
      what: 'no list',
      text: "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  base: '/x/',\n})\n",
      result: `import { defineConfig } from 'vite'\n${added}\n\nexport default defineConfig({\n  plugins: [petstore({ worker: true })],\n  base: '/x/',\n})\n`,
    },
  ])('adds itself to $what', ({ text, result }) => {
    expect(withPlugin(text)).toBe(result)
  })

  it.each([
    { what: 'a function', text: 'export default () => ({ plugins: [] })' },
    { what: 'a list in a variable', text: 'const plugins = []\nexport default { plugins }' },
    { what: 'plugins of something else', text: 'export default { a: { b: [] }, plugins: [] }' },
    { what: 'a name that is taken', text: "import { petstore } from 'x'\nexport default {}" },
    { what: 'CommonJS', text: 'module.exports = { plugins: [] }' },
  ])('leaves what it cannot read for sure: $what', ({ text }) => {
    expect(withPlugin(text)).toBeUndefined()
  })
})
