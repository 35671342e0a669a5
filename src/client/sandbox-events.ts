import type { JournalControls } from '../control/controls/journal-controls.ts'
import { duration } from '../input/duration.ts'
import { object, optional, withDefault } from '../input/object.ts'
import type { Given } from '../input/schema.ts'
import { anyThat } from '../input/values.ts'

/** An exchange as the journal shows it. */
export type JournalEntry = ReturnType<JournalControls['get']>

/**
 * The exchanges of a sandbox to come. It connects at once, and stays connected until its reader stops: by `break`,
 * by `return()`, or by its signal.
 */
export interface SandboxEvents extends AsyncIterator<JournalEntry, undefined> {
  /** Resolves when the sandbox is listened to; from then on nothing is missed. */
  readonly ready: Promise<void>
  next(): Promise<IteratorResult<JournalEntry, undefined>>
  /** Ends at once, also while somebody reads. */
  return(): Promise<IteratorResult<JournalEntry, undefined>>
  [Symbol.asyncIterator](): SandboxEvents
}

/** The options of events. */
export const eventsOptions = object(
  {
    /** Ends the events. */
    signal: optional(anyThat('an AbortSignal', isSignal)),
    /** How long to try to come back when the connection is lost: 10 seconds by default, 0 for not at all. */
    patience: withDefault(duration, 10_000),
    /**
     * Told when exchanges may be missing, such as after a restart of the process; then the events go on. Without it,
     * they end with a {@link RemoteError}.
     */
    onLost: optional(anyThat('a function', isListener)),
  },
  { title: 'events' },
)

/** How to read events. */
export type EventsOptions = Given<typeof eventsOptions>

function isSignal(found: unknown): found is AbortSignal {
  return found instanceof AbortSignal
}

function isListener(found: unknown): found is (message: string) => void {
  return typeof found === 'function'
}
