import { basePath } from '../../contract/endpoints.ts'
import type { GapSettings } from '../../contract/gap-settings.ts'
import { plans } from '../../contract/plans.ts'
import type { Sandbox } from '../../sandbox.ts'

/** A sandbox that a command runs beside. */
export interface SandboxBeside {
  /** Where it is served, without `/v1`. */
  readonly url: string
  readonly sandbox: Sandbox
  readonly controlToken: string | undefined
  /** The choices at gaps that sandboxes of the command's own start with, too. */
  readonly gaps: GapSettings
}

/**
 * The variables for a command; those without a value are to be removed, since they would be about the sandbox of an outer
 * command.
 */
export function commandVariables(beside: SandboxBeside): NodeJS.ProcessEnv {
  const { url, sandbox, controlToken, gaps } = beside
  const keys = sandbox.keys.list().filter(({ state }) => state === 'active')
  const ofPlans = Object.keys(plans).map((name) => [
    `PETSTORE_${name.toUpperCase()}_KEY`,
    keys.find(({ plan }) => plan === name)?.key,
  ])
  return {
    PETSTORE_URL: `${url}${basePath}`,
    PETSTORE_CONTROL_URL: `${url}/_sandbox`,
    PETSTORE_CONTROL_TOKEN: controlToken,
    PETSTORE_KEY: keys[0]?.key,
    ...Object.fromEntries(ofPlans),
    // For this program's own commands.
    PETSTORE_SANDBOX_URL: url,
    PETSTORE_SANDBOX_CONTROL_TOKEN: controlToken,
    // For sandboxes within the command's own processes.
    PETSTORE_SANDBOX_GAPS: gapText(gaps),
  }
}

function gapText(gaps: GapSettings): string | undefined {
  const words = Object.entries(gaps).map(([name, choice]) => `${name}=${choice}`)
  return words.length === 0 ? undefined : words.join(',')
}
