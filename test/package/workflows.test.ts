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

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: { readonly node?: readonly number[] } }
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

describe('the workflows', () => {
  it('may read the repository, and to publish ask for an identity', () => {
    const granted = jobs.map(({ job, permissions }) => [job, permissions])
    expect(Object.fromEntries(granted)).toEqual({
      'ci.yml: gate': { contents: 'read' },
      'ci.yml: smoke': { contents: 'read' },
      'release.yml: stage': { contents: 'read', 'id-token': 'write' },
    })
  })

  it('end in time, and leave no credentials in the checkout', () => {
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(30)
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts).toHaveLength(jobs.length)
    for (const step of checkouts) expect(step.with).toEqual({ 'persist-credentials': false })
  })

  it('run what there is, and put nothing from outside into a shell', () => {
    for (const { run = '' } of steps) {
      expect(run).not.toContain('${{')
      const [, script] = /^npm run ([\w:]+)/.exec(run) ?? []
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script)
      else if (run.startsWith('.')) expect(existsSync(join(projectFolder, run))).toBe(true)
      else expect(run).toMatch(/^(?:npm (?:ci|sbom|stage publish)\b|$)/)
    }
  })

  it('test the oldest Node that is promised, and all later even ones', () => {
    const oldest = Number(/\d+/.exec(manifest.engines.node))
    const { strategy } = jobs.find(({ job }) => job === 'ci.yml: gate') ?? {}
    expect(strategy?.matrix.node).toEqual([oldest, oldest + 2, oldest + 4, oldest + 6])
  })
})
