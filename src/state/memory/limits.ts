import { object, withDefault } from '../../input/object.ts'
import { described, type Given, type Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'

/** A number of bytes. */
export const byteCount = whole(0, 2 ** 40)

/** How much each sandbox may hold. */
export const sandboxLimits = object(
  {
    /** How many pets can be added to it: 1,000,000 by default. */
    pets: withDefault(
      described('Pets in a sandbox; more are refused', whole(0, 100_000_000)),
      1_000_000,
    ),
    /** How many keys can be added to it: 10,000 by default. */
    keys: withDefault(
      described('Keys in a sandbox; more are refused', whole(0, 1_000_000)),
      10_000,
    ),
    /** How many faults it may hold: 1,000 by default. */
    faults: withDefault(
      described('Faults in a sandbox; more are refused', whole(0, 100_000)),
      1_000,
    ),
    /** How many characters a pet's name may have: 1,000 by default. */
    nameLength: withDefault(
      described("Characters of a pet's name", whole(1_000, 1_048_576)),
      1_000,
    ),
    /** Of how many invalid tokens it keeps the windows: 1,000 by default; the one unseen for longest goes first. */
    strangers: withDefault(
      described(
        'Invalid tokens whose windows a sandbox keeps; the least recently seen goes first',
        whole(1, 1_000_000),
      ),
      1_000,
    ),
  },
  { title: 'limits' },
)

/** How much each sandbox may hold. */
export type SandboxLimits = Read<typeof sandboxLimits>

/** How many bytes the sandboxes of a process may take in memory, all together. */
export const memoryLimits = object(
  {
    /** How many bytes the exchanges in journals take: 64 MiB by default; the oldest go first. */
    journalBytes: withDefault(
      described('Bytes of the exchanges in all journals; the oldest go first', byteCount),
      67_108_864,
    ),
    /** How many bytes pets, keys and faults take: 128 MiB by default. */
    stateBytes: withDefault(
      described('Bytes of the pets, keys and faults in all sandboxes', byteCount),
      134_217_728,
    ),
    /** How many bytes the windows of invalid tokens take: 8 MiB by default. */
    strangerBytes: withDefault(
      described('Bytes of the windows of invalid tokens in all sandboxes', byteCount),
      8_388_608,
    ),
  },
  { title: 'limits' },
)

/** How many bytes the sandboxes of a process may take in memory. */
export type MemoryLimits = Given<typeof memoryLimits>
