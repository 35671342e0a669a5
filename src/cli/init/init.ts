import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { countText, printable } from '../../checks/reports/text.ts'
import { CliError, writeReasonOf } from '../cli-error.ts'
import { makeFolder, replaceFile } from '../files.ts'
import { programLine } from '../program.ts'
import { type Project, readProject } from './project.ts'
import { type Plan, type PlanStep, planSteps } from './steps.ts'

/** Input that may be a terminal. */
export interface KeyInput {
  readonly isTTY?: boolean
  setRawMode?: (isRaw: boolean) => unknown
  once: (event: 'data', listener: (data: Buffer) => void) => unknown
  pause: () => unknown
}

/**
 * Shows what the project in a folder needs, and writes it with `yes`, or after a key.
 *
 * @throws {@link CliError} if the folder is no project, or a file can't be written.
 */
export async function initProject(
  folder: string,
  yes: boolean,
  stdin: KeyInput,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const project = await readProject(folder)
  const plan = planSteps(project)
  const print = (text: string): void => void stdout.write(`${text}\n`)
  print(`Found: ${foundIn(project).join(', ') || 'a package'}\n`)
  print(plan.steps.map(stepText).join('\n\n'))
  const changes = plan.steps.filter(({ kind }) => kind === 'write' || kind === 'edit')
  if (changes.length > 0) {
    const files = countText(changes.length, 'file')
    if (!yes && !(await isConfirmed(`\nWrite ${files}? (y/n) `, stdin, stdout))) {
      print(`\nNothing is written. To write ${files}, run ${programLine('init --yes')}`)
      return
    }
    for (const step of changes) writeStep(folder, step)
    print(`\nWrote ${files}.`)
  }
  print(nextText(plan))
}

const shownPackages: Readonly<Record<string, string>> = {
  vite: 'Vite',
  vitest: 'Vitest',
  jest: 'Jest',
  '@playwright/test': 'Playwright',
  typescript: 'TypeScript',
  msw: 'MSW',
}

function foundIn({ dependencies, main, hasPytest }: Project): readonly string[] {
  return [
    ...Object.entries(shownPackages).flatMap(([name, shown]) =>
      dependencies.has(name) ? [shown] : [],
    ),
    ...(hasPytest ? ['pytest'] : []),
    ...(main === undefined ? [] : [main]),
  ]
}

function stepText(step: PlanStep): string {
  const file = printable(step.file)
  switch (step.kind) {
    case 'write':
      return `write ${file}\n${marked(step.text.trimEnd().split('\n'), '+')}`
    case 'edit': {
      const lines = step.before.split(/\r?\n/)
      const added = step.text.split(/\r?\n/).filter((line) => line !== '' && !lines.includes(line))
      return `edit ${file}\n${marked(added, '+')}`
    }
    case 'add':
      return `add to ${file} yourself, ${step.where}:\n${marked(step.lines, ' ')}`
    case 'keep':
      return `keep ${file}`
  }
}

function marked(lines: readonly string[], mark: string): string {
  return lines.map((line) => `  ${mark} ${printable(line)}`.trimEnd()).join('\n')
}

/** Asks a question that one key answers; `false` where there is no terminal. */
async function isConfirmed(
  question: string,
  stdin: KeyInput,
  stdout: NodeJS.WriteStream,
): Promise<boolean> {
  if (stdin.isTTY !== true || !stdout.isTTY) return false
  stdout.write(question)
  stdin.setRawMode?.(true)
  const key = await new Promise<string>((resolve) =>
    stdin.once('data', (data) => resolve(String(data))),
  )
  stdin.setRawMode?.(false)
  stdin.pause()
  stdout.write('\n')
  return /^[y\r\n]/i.test(key)
}

/** @throws {@link CliError} if the file can't be written, or was created meanwhile. */
function writeStep(folder: string, step: PlanStep): void {
  const path = join(folder, step.file)
  try {
    if (step.kind === 'edit') replaceFile(path, step.text, 0o644)
    if (step.kind !== 'write') return
    makeFolder(dirname(path))
    writeFileSync(path, step.text, { flag: 'wx' })
  } catch (error) {
    throw new CliError(`Cannot write ${step.file}: ${writeReasonOf(error)}`, 1)
  }
}

function nextText({ next }: Plan): string {
  return `\nNext:\n${next.map((line) => `  ${line}`).join('\n')}`
}
