import type { Judgement } from '../../audit/auditor.ts'
import type { AuditOptions, Finding } from '../../audit/finding.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import { report } from '../terminal/report.ts'

/** How many findings are kept of sandboxes that are deleted. */
const keptOfDeleted = 10_000

/**
 * Judges the clients of all sandboxes of a process from now on, those to come and those that are deleted meanwhile too;
 * returns a function that ends this and says what came of it.
 */
export async function collectFindings(
  { sandbox, pool }: { readonly sandbox: Sandbox; readonly pool: SandboxPool },
  options: AuditOptions,
): Promise<() => Judgement> {
  // A module that is only ever loaded late stays out of what pages load at once.
  const { createAuditor } = await import('../../audit/auditor.ts')
  const ofDeleted: Finding[] = []
  let judgedOfDeleted = 0
  let left = 0
  const findingsOf = (one: Sandbox): Finding[] => one.auditWith(createAuditor, options)
  const living = (): Sandbox[] => [
    sandbox,
    ...pool.names().flatMap((name) => pool.find(name) ?? []),
  ]
  for (const one of living()) findingsOf(one)
  const endCreated = pool.onCreate((created) => void findingsOf(created))
  const endDeleted = pool.onDelete((deleted) => {
    const found = findingsOf(deleted)
    judgedOfDeleted += judgedIn(deleted)
    const kept = found.slice(0, keptOfDeleted - ofDeleted.length)
    ofDeleted.push(...kept)
    left += found.length - kept.length
  })
  return () => {
    endCreated()
    endDeleted()
    if (left > 0) report(`Cannot report all findings: ${left} of deleted sandboxes are left out`)
    return {
      findings: [...ofDeleted, ...living().flatMap(findingsOf)],
      judged: living().reduce((sum, one) => sum + judgedIn(one), judgedOfDeleted),
    }
  }
}

function judgedIn(sandbox: Sandbox): number {
  return sandbox.judgementSoFar()?.judged ?? 0
}
