import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { projectFolder } from './project-folder.ts'

interface Step {
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly run?: string
}

interface Matrix {
  readonly node?: readonly number[]
  readonly script?: readonly string[]
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: Matrix }
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = join(projectFolder, '.github/workflows')

const workflows = globSync('*.yml', { cwd: folder }).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  return { file, text, ...(parse(text) as Workflow) }
})

const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ job: `${file}: ${name}`, ...job })),
)

const steps = jobs.flatMap(({ job, steps }) => steps.map((step) => ({ job, ...step })))

describe.each(workflows)('$file', ({ file, text, permissions }) => {
  it('is a workflow, by the schema of GitHub', () => {
    expect(validateWorkflow(text).errors).toEqual([])
    expect(validateWorkflow(text.replace('runs-on', 'runs-off')).errors).not.toEqual([])
  })

  it('gives no permission to all its jobs', () => {
    expect({ file, permissions }).toEqual({ file, permissions: {} })
  })

  it('names the version of each action beside its commit', () => {
    const used = text.match(/uses: .*/g) ?? []
    for (const line of used) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})

/** Commands that run no script of ours by name. */
const other =
  /^$|^npm (?:ci|test|install --no-save|stage publish)\b|^python3 -m pip install pytest$|^npx node "scripts\/\$SCRIPT\.ts"$/

describe('the workflows', () => {
  it('may read the repository, and to publish ask for an identity', () => {
    const granted = jobs.map(({ job, permissions }) => [job, permissions])
    expect(Object.fromEntries(granted)).toEqual({
      'ci.yml: check': { contents: 'read' },
      'ci.yml: test': { contents: 'read' },
      'ci.yml: unit': { contents: 'read' },
      'ci.yml: unit-oldest': { contents: 'read' },
      'ci.yml: smoke': { contents: 'read' },
      'nightly.yml: script': { contents: 'read' },
      'nightly.yml: draws': { contents: 'read' },
      'nightly.yml: audit': { contents: 'read' },
      'nightly.yml: next-node': { contents: 'read' },
      'release.yml: pack': { contents: 'read' },
      'release.yml: publish': { 'id-token': 'write' },
    })
  })

  it('run no code of the repository or its dependencies with an identity', () => {
    const publishing = steps.filter(({ job }) => job === 'release.yml: publish')
    expect(publishing.map(({ uses = '', run }) => run ?? uses.split('@')[0])).toEqual([
      'actions/setup-node',
      'actions/download-artifact',
      'npm stage publish ./petstore-sandbox-*.tgz --ignore-scripts',
    ])
  })

  it('end in time, and leave no credentials in the checkout', () => {
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(30)
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    // Each job but the one that publishes.
    expect(checkouts).toHaveLength(jobs.length - 1)
    for (const step of checkouts) expect(step.with).toEqual({ 'persist-credentials': false })
  })

  it('run what there is, and put nothing from outside into a shell', () => {
    for (const { run = '' } of steps) {
      expect(run).not.toContain('${{')
      const [, script] = /^npm run ([\w:]+)/.exec(run) ?? []
      const [file] = /\b(?:scripts|node_modules)\/[\w./-]+/.exec(run) ?? []
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script)
      else if (file !== undefined) expect(existsSync(join(projectFolder, file))).toBe(true)
      else expect(run).toMatch(other)
    }
  })

  it('run scripts that are there at night', () => {
    const { strategy } = jobs.find(({ job }) => job === 'nightly.yml: script') ?? {}
    for (const script of strategy?.matrix.script ?? []) {
      expect(existsSync(join(projectFolder, `scripts/${script}.ts`))).toBe(true)
    }
  })

  it('test the oldest Node that is promised, and all later even ones', () => {
    const oldest = Number(/\d+/.exec(manifest.engines.node))
    const { strategy } = jobs.find(({ job }) => job === 'ci.yml: unit') ?? {}
    expect(strategy?.matrix.node).toEqual([oldest + 2, oldest + 4, oldest + 6])
    const setUp = steps.find(
      ({ job, uses }) => job === 'ci.yml: unit-oldest' && uses?.includes('setup-node'),
    )
    expect(setUp?.with).toEqual({ 'node-version': oldest })
  })
})
