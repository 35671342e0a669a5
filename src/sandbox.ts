import { withChoices } from './contract/gap-settings.ts'
import { defaultGaps } from './contract/gaps.ts'
import type { ApiRequest, Handler } from './contract/message.ts'
import { type Controls, createControls } from './control/controls/controls.ts'
import type { ControlReply } from './control/http/control-route.ts'
import { handle } from './engine/handle.ts'
import { readInput } from './input/schema.ts'
import { defaultSeed } from './seed/default-seed.ts'
import {
  type Beginning,
  type ReadSandboxOptions,
  type SandboxOptions,
  sandboxOptions,
} from './state/beginning.ts'
import { systemClock } from './state/clock-settings.ts'
import { defaultJournalSize } from './state/journal/journal.ts'
import { readSnapshot } from './state/snapshot.ts'
import { freshState } from './state/state.ts'

/** One isolated pet store, and everything that can be done to it. */
export interface Sandbox extends Controls {
  /** Answers a request of the API, whose paths are under `/v1`. */
  readonly handle: Handler
  /**
   * Answers a request of the control API, whose paths are under `/_sandbox`.
   *
   * @param origin Where the sandbox is served, for the addresses in its answers.
   * @param owner Aborts when the client leaves; then a stream of events ends.
   */
  handleControl(request: ApiRequest, origin?: string, owner?: AbortSignal): Promise<ControlReply>
}

/**
 * Makes a sandbox, which shares nothing with any other.
 *
 * @throws {@link InputError} naming the option, what was found and what would do.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOf(readInput(sandboxOptions, options))
}

/** Makes a sandbox with options that were read. */
export function sandboxOf(options: ReadSandboxOptions): Sandbox {
  const secrets = (): readonly string[] => state.keys.all().map(({ key }) => key)
  const beginning = beginningOf(options, secrets)
  let state = freshState(beginning)
  const controls = createControls({
    state: () => state,
    replace: (next) => {
      state = next
    },
    fresh: () => freshState(beginning, state.seed),
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
      // Loaded when it is used, since a browser seldom does.
      const { handleControl } = await import('./control/http/handle-control.ts')
      return await handleControl(request, { controls, origin, owner })
    },
  })
}

function beginningOf(options: ReadSandboxOptions, secrets: () => readonly string[]): Beginning {
  const { seed, randomSeed, gaps, clock, rateLimit, journalSize } = options
  return {
    seed: { pets: seed?.pets ?? defaultSeed.pets, keys: seed?.keys ?? defaultSeed.keys },
    randomSeed: randomSeed ?? 1,
    gaps: gaps === undefined ? defaultGaps : withChoices(gaps),
    clock: clock ?? systemClock,
    rateLimit: rateLimit ?? 'enforced',
    journalSize: journalSize ?? defaultJournalSize,
    secrets,
  }
}
