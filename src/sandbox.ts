import { withChoices } from './contract/gap-settings.ts'
import { defaultGaps } from './contract/gaps.ts'
import type { ApiRequest, Handler } from './contract/message.ts'
import { createControls, type SandboxControls } from './control/controls/controls.ts'
import type { ControlReply } from './control/http/control-route.ts'
import { handle } from './engine/handle.ts'
import { definedOf } from './input/record.ts'
import { readInput } from './input/schema.ts'
import { defaultSeed } from './seed/default-seed.ts'
import {
  type Beginning,
  type ReadSandboxOptions,
  type SandboxOptions,
  sandboxOptions,
} from './state/beginning.ts'
import { systemClock } from './state/clock/clock-settings.ts'
import { defaultJournalSize } from './state/journal/journal.ts'
import type { HideKeys } from './state/redact.ts'
import { readSnapshot } from './state/snapshot.ts'
import { freshState } from './state/state.ts'

/** One isolated pet store, with all its controls. */
export interface Sandbox extends SandboxControls {
  /** Answers an API request, under `/v1`. */
  readonly handle: Handler
  /**
   * Answers a control request, under `/_sandbox`.
   *
   * @param origin Where the sandbox is served, for addresses in replies.
   * @param owner Aborts when the client leaves; then an event stream ends.
   */
  handleControl(request: ApiRequest, origin?: string, owner?: AbortSignal): Promise<ControlReply>
}

/**
 * Makes a sandbox; it shares nothing with any other.
 *
 * @throws {@link InputError} naming the option, what was found and what to use.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOf(readInput(sandboxOptions, options))
}

/** Makes a sandbox with parsed options. */
export function sandboxOf(options: ReadSandboxOptions): Sandbox {
  const hide: HideKeys = (text, token) => state.keys.hideIn(text, token)
  const beginning = beginningOf(options, hide)
  let state = freshState(beginning)
  const controls = createControls({
    state: () => state,
    replace: (next) => {
      state = next
    },
    fresh: (seed = state.seed) => freshState(beginning, seed),
    restored: (snapshot) =>
      readInput({ read: (found) => readSnapshot(found, beginning) }, snapshot, 'snapshot'),
  })
  return Object.assign(controls, {
    handle: (request: ApiRequest, owner?: AbortSignal) => handle(request, state, owner),
    async handleControl(
      request: ApiRequest,
      origin = 'http://localhost',
      owner: AbortSignal | undefined = undefined,
    ) {
      // Loaded on first use, since browsers seldom need it.
      const { handleControl } = await import('./control/http/handle-control.ts')
      return await handleControl(request, { controls, origin, owner })
    },
  })
}

function beginningOf(options: ReadSandboxOptions, hide: HideKeys): Beginning {
  const { seed, gaps, ...rest } = options
  return {
    randomSeed: 1,
    clock: systemClock,
    rateLimit: 'enforced',
    journalSize: defaultJournalSize,
    ...definedOf(rest),
    seed: { ...defaultSeed, ...definedOf(seed ?? {}) },
    gaps: gaps === undefined ? defaultGaps : withChoices(gaps),
    hide,
  }
}
