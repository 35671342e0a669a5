import { type GapSettings, gapSettings } from '../../mock/api/gaps.ts'
import { host } from '../../mock/api/real-time.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { readInput } from '../../mock/input/schema.ts'
import type { SandboxOptions } from '../../mock/state/beginning.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Environment variable with gap values for all sandboxes of a process; `petstore-sandbox check` and `exec` set it. */
const variable = 'PETSTORE_SANDBOX_GAPS'

/**
 * Parses the gap values that a test suite is explored with, such as `banStatus=403,listOrder=shuffled`.
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
      `Cannot use ${variable}: found "${word}"; use name=value, such as banStatus=403`,
    )
  })
  const given = fromTexts(gapSettings, Object.fromEntries(texts))
  return gapSettings.encode(readInput(gapSettings, given, variable))
}

/** Adds the explored gap values to options; values that the options set themselves stay. */
export function withExploredGaps(options: SandboxOptions): SandboxOptions {
  const explored = exploredGaps()
  if (Object.keys(explored).length === 0) return options
  return { ...options, gaps: { ...explored, ...options.gaps } }
}

/** Returns the environment variables of the process; a page has an empty set. */
export function ownEnvironment(): Environment {
  return host.process?.env ?? {}
}
