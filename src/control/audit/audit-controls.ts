import { type AuditOptions, auditOptions } from '../../audit/audit-options.ts'
import type { Auditor, createAuditor, Judgement } from '../../audit/auditor.ts'
import type { Finding } from '../../audit/finding.ts'
import { gaps } from '../../contract/gaps.ts'
import { yieldToEventLoop } from '../../contract/yield-to-event-loop.ts'
import { refusalUnder } from '../../engine/decide.ts'
import { readInput } from '../../input/schema.ts'
import type { Happening } from '../../state/journal.ts'
import type { Access } from '../controls/access.ts'

/** The verdict on the clients of a sandbox. */
export interface AuditControls {
  /**
   * Judges what clients have done since the journal's beginning, and from now on all that they do; gives the findings in
   * the order in which they were proved. Resets don't end it.
   */
  audit(options?: AuditOptions): Promise<Finding[]>
  /** Calls a listener with each new finding, across resets; returns a function that ends this. */
  subscribeFindings(listener: (finding: Finding) => void): () => void
}

/** What makes an auditor; loaded only when somebody asks for a verdict. */
export type CreateAuditor = typeof createAuditor

/** The verdict for those who have the rules at hand. */
export interface DirectAudit {
  /**
   * The findings at once, without the wait until the rules are loaded.
   *
   * @internal For matchers and fixtures: `audit()` is for all others.
   */
  auditWith(create: CreateAuditor, options?: AuditOptions): Finding[]
  /**
   * Judges what the journal still has, at once: nothing before its last reset.
   *
   * @internal For matchers.
   */
  auditJournal(create: CreateAuditor, options?: AuditOptions): Finding[]
  /**
   * What came of judging so far; `undefined` where nobody has asked for a verdict.
   *
   * @internal For the status, and for reports.
   */
  judgementSoFar(): Judgement | undefined
}

/** How much may happen before all is judged, beside what the journal has. */
const mostWaiting = 1_000

/** Makes the controls of the verdict on a sandbox's clients. */
export function auditControls({ state }: Access): AuditControls & DirectAudit {
  let auditor: Auditor | undefined
  /** What has happened and isn't judged yet; `undefined` until somebody asks for a verdict. */
  let waiting: Happening[] | undefined
  const listen = (): void => {
    if (waiting !== undefined) return
    const { journal } = state()
    const kept = journal.past()
    const most = kept.length + mostWaiting
    waiting = kept
    journal.watch(
      (happening) => {
        if (auditor !== undefined && kept.length === 0) auditor.hear(happening)
        else if (kept.length < most) kept.push(happening)
      },
      () => auditor?.conclude(),
    )
  }
  const begun = (create: CreateAuditor): Auditor => {
    listen()
    auditor ??= made(create)
    return auditor
  }
  const made = (create: CreateAuditor): Auditor => create(state, gaps, refusalUnder)
  const load = async (): Promise<Auditor> => {
    // From now on nothing is missed, whatever is reset meanwhile.
    listen()
    const { createAuditor } = await import('../../audit/auditor.ts')
    const loaded = begun(createAuditor)
    if (waiting !== undefined) await loaded.hearInTurns(waiting, yieldToEventLoop)
    return loaded
  }
  return {
    async audit(options = {}) {
      const read = readInput(auditOptions, options)
      return (await load()).findings(read)
    },
    auditWith(create, options = {}) {
      const read = readInput(auditOptions, options)
      const loaded = begun(create)
      hearAll(loaded, waiting?.splice(0) ?? [])
      return loaded.findings(read)
    },
    auditJournal(create, options = {}) {
      const read = readInput(auditOptions, options)
      const own = made(create)
      hearAll(own, state().journal.past())
      return own.findings(read)
    },
    judgementSoFar: () => auditor?.judgement(),
    subscribeFindings(listener) {
      let isOver = false
      let end = (): void => {}
      void load().then((loaded) => {
        if (!isOver) end = loaded.subscribe(listener)
      })
      return () => {
        isOver = true
        end()
      }
    },
  }
}

function hearAll(auditor: Auditor, happenings: readonly Happening[]): void {
  for (const happening of happenings) auditor.hear(happening)
  auditor.conclude()
}
