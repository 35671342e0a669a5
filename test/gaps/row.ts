import type { GapSettings } from '../../src/contract/gap-settings.ts'
import type { GapName } from '../../src/contract/gaps.ts'
import type { Sandbox } from '../../src/sandbox.ts'

interface RowOf<Name extends GapName> {
  readonly gap: Name
  readonly choice: NonNullable<GapSettings[Name]>
  /** What the sandbox does then, as a present-tense sentence. */
  readonly does: string
  /** Checks it on a sandbox that has the choice, its clock at the start of 2026. */
  readonly check: (sandbox: Sandbox) => Promise<void>
}

/** A choice of a gap, with a check of what follows from it. */
export type GapRow = { readonly [Name in GapName]: RowOf<Name> }[GapName]
