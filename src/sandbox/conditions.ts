import { finding } from '../checks/audit/finding.ts'
import { type OperationName, operationNames } from '../mock/api/endpoints.ts'
import { host } from '../mock/api/real-time.ts'
import { list, object, optional } from '../mock/input/object.ts'
import { identity, readInput } from '../mock/input/schema.ts'
import { integer, nameIn, oneOf } from '../mock/input/values.ts'
import { type RequestView, requestView, type StateChange } from '../mock/log/request-view.ts'
import type { SandboxControls } from './controls/controls.ts'

/** Facts about the run that a condition is set up for. */
export interface ConditionSetup {
  /** Operation that fails, for a condition of operations. */
  readonly operation: OperationName | undefined
  /** Number of requests that the suite sends when nothing fails. */
  readonly requests: number
  /** Number of sandboxes that share the condition. */
  readonly sandboxes: number
}

/** Effect of a failure condition on a sandbox. */
export interface ConditionEffect {
  /** Sets it up; called again after each reset by the suite. */
  set(sandbox: SandboxControls, setup: ConditionSetup): void
  /** Returns whether the client has encountered the condition in a request. */
  isMet(entry: RequestView): boolean
  /** Called when the client has encountered it for the first time. */
  afterwards?(sandbox: SandboxControls): void
  /** Called when the suite has frozen the clock. */
  onFreeze?(sandbox: SandboxControls): void
}

/** Returns whether an event may have frozen the clock, and it is frozen. */
export function isFreeze({ kind }: StateChange, sandbox: SandboxControls): boolean {
  return kind === 'clock-mode' && sandbox.clock.read().mode === 'frozen'
}

const dayMs = 86_400_000

/** Time of day two seconds before the end of a minute, at noon. */
const lateInMinuteMs = dayMs / 2 + 58_000

/** Time by which the service's clock is behind, in milliseconds. */
const behindMs = 600_000

/** Noon of the day on which `getPet` is removed (spec 4.3). */
const sunsetNoonAt = Date.UTC(2030, 11, 5, 12)

/** Returns the beginning of the sandbox's day. */
function today(sandbox: SandboxControls): number {
  const now = sandbox.clock.now()
  return now - (now % dayMs)
}

/** Returns whether a request was rejected because of its quota or a ban. */
export function isLimited({ decision: { code } }: RequestView): boolean {
  return code === 'rate_limit_exceeded' || code === 'key_banned'
}

function isApplied({ faults }: RequestView): boolean {
  return faults.length > 0
}

/**
 * Freezes the clock two seconds before the end of a minute, until the client has encountered the limit.
 *
 * @param lateMs Milliseconds by which the sandbox's clock is behind.
 */
function waitNearMinuteEnd(sandbox: SandboxControls, lateMs = 0): void {
  sandbox.clock.freeze()
  sandbox.clock.set(today(sandbox) + lateInMinuteMs - lateMs)
}

/** Exhausts the minute quota of all keys two seconds before its end. */
function endMinuteSoon(sandbox: SandboxControls, lateMs = 0): void {
  waitNearMinuteEnd(sandbox, lateMs)
  sandbox.scenario('minute-exhausted')
}

/** Leaves each key a minute quota for one and a half runs of the suite. */
function shareMinute(sandbox: SandboxControls, { requests }: ConditionSetup): void {
  waitNearMinuteEnd(sandbox)
  for (const { key, minute } of sandbox.keys.list()) {
    const remaining = Math.min(Math.ceil(requests * 1.5), minute.limit)
    sandbox.keys.setRemaining(key, { minute: remaining })
  }
}

/** Returns a function that sets the clock to a day, counted from that of the sunset. */
const onDay =
  (days: number) =>
  (sandbox: SandboxControls): void =>
    sandbox.clock.set(sunsetNoonAt + days * dayMs)

/** Values of a condition with a limit that resets after two seconds. */
const shortLimit = {
  isMet: isLimited,
  afterwards: (sandbox: SandboxControls) => sandbox.clock.resume(),
} as const

/** Fault of the condition `slow`: a wait of one to three seconds. */
const slowness = { fault: 'latency', ms: ['1s', '3s'] } as const

const isGetPet = ({ operation }: RequestView): boolean => operation === 'getPet'

/** Effects of the failure conditions on a sandbox, by name. */
export const effects = {
  'minute-limit': {
    ...shortLimit,
    set: (sandbox) => endMinuteSoon(sandbox),
  },
  'day-limit': {
    set(sandbox) {
      sandbox.clock.set(today(sandbox) + dayMs / 2)
      sandbox.scenario('day-exhausted')
    },
    isMet: isLimited,
  },
  'shared-key': {
    ...shortLimit,
    set: shareMinute,
  },
  banned: {
    set: (sandbox) => sandbox.scenario('banned'),
    isMet: isLimited,
  },
  'key-expired': {
    set: (sandbox) => sandbox.scenario('key-expired'),
    isMet: ({ decision: { code } }) => code === 'unauthorized',
  },
  outage: {
    isMet: isApplied,
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'status', status: 503, operation }),
  },
  'retry-after': {
    isMet: isApplied,
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'status', status: 503, retryAfter: '2s', operation, times: 2 }),
  },
  'lost-response': {
    isMet: isApplied,
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'disconnect', operation, times: 1 }),
  },
  'late-list': {
    set: (sandbox) => sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 }),
    isMet: isApplied,
  },
  'no-response': {
    isMet: isApplied,
    set: (sandbox, { operation }) => sandbox.faults.add({ fault: 'timeout', operation, times: 1 }),
  },
  'invalid-json': {
    isMet: isApplied,
    set: (sandbox, { operation }) =>
      sandbox.faults.add({ fault: 'malformed-json', operation, times: 1 }),
  },
  slow: {
    set(sandbox, { sandboxes }) {
      // On a frozen clock, a late response would never arrive.
      if (sandbox.clock.read().mode === 'frozen') return
      sandbox.faults.add({ ...slowness, times: Math.ceil(5 / sandboxes) })
    },
    isMet: isApplied,
    onFreeze(sandbox) {
      for (const one of sandbox.faults.list()) {
        const isOwn = one.fault === 'latency' && String(one.ms) === String(slowness.ms)
        if (isOwn) sandbox.faults.remove(one.id)
      }
    },
  },
  'clock-behind': {
    ...shortLimit,
    set: (sandbox) => endMinuteSoon(sandbox, behindMs),
  },
  'sunset-eve': {
    isMet: isGetPet,
    set: onDay(-1),
  },
  'sunset-day': {
    isMet: isGetPet,
    set: onDay(0),
  },
  'large-ids': {
    set() {},
    isMet: ({ decision: { petId } }) =>
      petId !== undefined && BigInt(petId) > Number.MAX_SAFE_INTEGER,
  },
} as const satisfies Readonly<Record<string, ConditionEffect>>

/** Line of the file of a sandbox: a request, or all findings so far. */
export const sandboxLine = object({
  request: optional(identity(requestView)),
  findings: optional(list(finding)),
})

/** Environment variable with the condition of all sandboxes of a process; `petstore-sandbox check` sets it. */
const variable = 'PETSTORE_SANDBOX_CONDITION'

const condition = object({
  /** Name of the condition; without one, the requests are only recorded. */
  name: optional(nameIn(effects)),
  operation: optional(oneOf(operationNames)),
  requests: integer(0, 1e15),
})

/**
 * Number of sandboxes of a run that a client meets a condition in: each test may have its own, and a client that waits
 * in all of them would take too long.
 */
export const mostSandboxes = 5

/** Returns the value of the variable, for the condition of a run. */
export function conditionVariable(
  name: keyof typeof effects | undefined,
  { operation, requests }: Omit<ConditionSetup, 'sandboxes'>,
): Record<string, string> {
  return { [variable]: JSON.stringify({ name, operation, requests }) }
}

/**
 * Under `check`, records the requests to a sandbox in a file of the check's folder, a line of JSON each, and all findings
 * whenever there are others. Sets the condition of the run: now, and again after each reset, but not between two tests.
 */
export function underCondition(sandbox: SandboxControls): void {
  const { process } = host
  const text = process?.env[variable]
  const folder = process?.env.PETSTORE_CHECK_DIR
  if (process === undefined || !text || !folder) return
  const { name, operation, requests } = readInput(condition, JSON.parse(text), variable)
  const { mkdirSync, readdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
  mkdirSync(folder, { recursive: true })
  const write = (file: string, line: string): void =>
    writeFileSync(`${folder}/${file}`, line, { flag: 'a' })
  const id = `${process.pid}-${crypto.randomUUID()}`
  let written = '[]'
  const writeFindings = async (): Promise<void> => {
    const findings = await sandbox.findings()
    const found = JSON.stringify(findings)
    if (found === written) return
    written = found
    write(`${id}.jsonl`, `${JSON.stringify({ findings })}\n`)
  }
  const effect: ConditionEffect | undefined = name === undefined ? undefined : effects[name]
  const isOver = readdirSync(folder).filter((file) => file.endsWith('.met')).length >= mostSandboxes
  const set = (): void =>
    isOver ? undefined : effect?.set(sandbox, { operation, requests, sandboxes: mostSandboxes })
  sandbox.requests.onRequest((entry) => {
    write(`${id}.jsonl`, `${JSON.stringify({ request: entry })}\n`)
    void writeFindings()
    if (isOver || effect?.isMet(entry) !== true) return
    if (operation !== undefined && entry.operation !== operation) return
    write(`${id}.met`, '')
    // The request has to be logged before its condition changes the sandbox.
    void Promise.resolve().then(() => effect.afterwards?.(sandbox))
  })
  let isDue = false
  let isBetweenTests = false
  sandbox.requests.onEvent((event) => {
    const { kind } = event
    if (isFreeze(event, sandbox)) void Promise.resolve().then(() => effect?.onFreeze?.(sandbox))
    if (kind === 'reset' || kind === 'restored') isDue = true
    if (kind === 'test-ended') isBetweenTests = true
    if (kind === 'test-started') isBetweenTests = false
    if (!isDue || isBetweenTests) return
    isDue = false
    // The reset has to be over first.
    void Promise.resolve().then(set)
  })
  set()
}
