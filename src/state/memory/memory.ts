import { definedOf } from '../../input/record.ts'
import { SeedShelf } from '../pets/seed-shelf.ts'
import { HeldBytes } from './held-bytes.ts'
import { type MemoryLimits, memoryLimits, type SandboxLimits, sandboxLimits } from './limits.ts'
import { SharedBytes } from './shared-bytes.ts'
import { TaskQueue } from './task-queue.ts'

/** How many bytes the steps take that sandboxes remember beside their journals: 32 MiB. */
const recordBytes = 33_554_432

/** How many bytes the tokens take by which sandboxes tell callers apart: 8 MiB. */
const callerBytes = 8_388_608

/** The bytes that the sandboxes of a process share. */
export class Memory {
  /** For the exchanges in journals. */
  readonly exchanges: SharedBytes
  /** For what sandboxes were asked since they began. */
  readonly records = new SharedBytes(recordBytes)
  /** For the tokens by which callers are told apart. */
  readonly callers = new SharedBytes(callerBytes)
  /** For the windows of invalid tokens. */
  readonly strangers: SharedBytes
  /** For pets, keys and faults. */
  readonly held: HeldBytes
  readonly seeds = new SeedShelf()
  /** For questions whose answers take long. */
  readonly questions = new TaskQueue()

  constructor(limits: MemoryLimits = {}) {
    const usual = memoryLimits.read({})
    const { journalBytes, stateBytes, strangerBytes } = { ...usual, ...definedOf(limits) }
    this.exchanges = new SharedBytes(journalBytes)
    this.strangers = new SharedBytes(strangerBytes)
    this.held = new HeldBytes(stateBytes)
  }
}

/** What bounds a sandbox. */
export interface Bounds {
  readonly limits: SandboxLimits
  readonly memory: Memory
}

/** The bounds of a sandbox of its own, where nothing else is said. */
export function usualBounds(): Bounds {
  return { limits: sandboxLimits.read({}), memory: new Memory() }
}
