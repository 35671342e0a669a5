import { InputError } from '../../mock/input/input-error.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { readInput } from '../../mock/input/schema.ts'
import { type GapSettings, gapSettings } from '../../mock/spec/gaps.ts'
import type { SandboxOptions } from '../../mock/state/beginning.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What tells the sandboxes of a process how they begin: `petstore-sandbox check` and `exec` set it. */
const variable = 'PETSTORE_SANDBOX_GAPS'

/**
 * Reads the choices with which a suite is explored, such as `banStatus=403,listOrder=shuffled`.
 *
 * @throws {@link InputError} naming the variable.
 */
export function exploredGaps(environment: Environment = ownEnvironment()): GapSettings {
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
  return gapSettings.encode(readInput(gapSettings, given, variable))
}

/** Adds the choices that are explored to options; those that the options make on purpose stay. */
export function withExploredGaps(options: SandboxOptions): SandboxOptions {
  const explored = exploredGaps()
  if (Object.keys(explored).length === 0) return options
  return { ...options, gaps: { ...explored, ...options.gaps } }
}

/** The variables of the process; none in a page. */
export function ownEnvironment(): Environment {
  const { process: found }: { readonly process?: NodeJS.Process } = globalThis
  return found?.env ?? {}
}
