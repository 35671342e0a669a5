import { type GapSettings, gapSettings } from '../../contract/gap-settings.ts'
import { defaultGaps, formatChoice, gapNames } from '../../contract/gaps.ts'
import type { Answering } from '../../contract/message.ts'
import { InputError } from '../../input/input-error.ts'
import { fromTexts } from '../../input/object.ts'
import { readInput } from '../../input/schema.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxOptions } from '../../state/beginning.ts'

/** What hosts with processes have, and pages have not. */
interface Host {
  readonly process?: { readonly env?: Environment }
}

type Environment = Readonly<Record<string, string | undefined>>

/** What tells the sandboxes of a process how they begin: `petstore-sandbox explore` and `exec` set it. */
const variable = 'PETSTORE_SANDBOX_GAPS'

/**
 * Reads the choices with which a suite is explored, such as `banStatus=403,listOrder=shuffled`.
 *
 * @throws {@link InputError} naming the variable.
 */
export function exploredRow(environment: Environment = ownEnvironment()): GapSettings {
  const text = environment[variable]
  if (!text) return {}
  const texts = text.split(',').map((word) => {
    const [name = '', ...choice] = word.split('=')
    if (choice.length > 0) return [name.trim(), choice.join('=')] as const
    throw new InputError(
      `Cannot use ${variable}: found "${word}"; use name=choice, such as banStatus=403`,
    )
  })
  const given = fromTexts(gapSettings, Object.fromEntries(texts))
  return gapSettings.write(readInput(gapSettings, given, variable))
}

/** Has a sandbox begin with the choices that are explored; those that the options make on purpose stay. */
export function exploredOptions(options: SandboxOptions): SandboxOptions {
  const row = exploredRow()
  if (Object.keys(row).length === 0) return options
  return { ...options, gaps: { ...row, ...options.gaps } }
}

/** Has a sandbox take the choices that are explored, also after each reset; those that are not the usual ones stay. */
export function followRow(sandbox: Answering): void {
  const row = exploredRow()
  if (Object.keys(row).length === 0 || !isSandbox(sandbox)) return
  const { reset } = sandbox
  const own = { ...sandbox.gaps }
  const isUsual = gapNames.filter((gap) => own[gap] === formatChoice(gap, defaultGaps[gap]))
  const taken = Object.fromEntries(isUsual.flatMap((gap) => (gap in row ? [[gap, row[gap]]] : [])))
  const follow = (): void => {
    sandbox.setGaps({ ...taken })
  }
  follow()
  Object.assign(sandbox, {
    reset(options: Parameters<Sandbox['reset']>[0] = {}) {
      reset(options)
      if (options.only?.includes('gaps') !== false) follow()
    },
  })
}

function ownEnvironment({ process: found }: Host = globalThis): Environment {
  return found?.env ?? {}
}

function isSandbox(one: Answering): one is Sandbox {
  return 'setGaps' in one && 'reset' in one
}
