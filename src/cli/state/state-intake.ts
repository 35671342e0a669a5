import { parseJson } from '../../contract/json/json.ts'
import type { JsonPath, JsonTaker } from '../../contract/json/json-splitter.ts'
import { InputError } from '../../input/input-error.ts'
import { isRecord, mapTable } from '../../input/record.ts'
import { show } from '../../input/show.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import type { Bounds } from '../../state/memory/memory.ts'
import { SnapshotIntake } from '../../state/snapshot/snapshot-intake.ts'

/** Restores the sandboxes of a state file that is read part by part. */
export class StateIntake implements JsonTaker {
  readonly #sandbox: Sandbox
  readonly #pool: SandboxPool
  readonly #own: SnapshotIntake
  /** That of the named sandbox that is being read. */
  #named: SnapshotIntake
  #settings: unknown

  constructor(sandbox: Sandbox, pool: SandboxPool) {
    this.#sandbox = sandbox
    this.#pool = pool
    this.#own = new SnapshotIntake(sandbox.bounds())
    this.#named = intakeOfNamed(sandbox.bounds())
  }

  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    if (path[0] !== 'sandboxes') return this.#own.opens(path, kind)
    if (path.length === 1) return kind === 'object'
    if (path.length === 2) {
      this.#named = intakeOfNamed(this.#sandbox.bounds())
      this.#settings = undefined
    }
    return path[2] !== 'settings' && this.#named.opens(path.slice(2), kind)
  }

  /** @throws {@link InputError} with the place. */
  take(path: JsonPath, text: string): void {
    const [first, name, property] = path
    if (first !== 'sandboxes') this.#own.take(path, text)
    else if (name === undefined) recordAt(parseJson(text), 'sandboxes')
    else if (property === 'settings') this.#settings = parseJson(text)
    else within(name, () => this.#named.take(path.slice(2), text))
  }

  /** @throws {@link InputError} with the place. */
  closes(path: JsonPath): void {
    const [first, name] = path
    if (first === undefined) this.#sandbox.resume(this.#own)
    else if (first === 'sandboxes' && name !== undefined && path.length === 2) {
      within(name, () => this.#restoreNamed(String(name)))
    }
  }

  #restoreNamed(name: string): void {
    const { sandbox } = this.#pool.create({ ...recordAt(this.#settings, 'settings'), name })
    sandbox.resume(this.#named)
  }
}

/** How much a named sandbox may hold is in its settings, which come last: here only memory has bounds. */
function intakeOfNamed({ limits, memory }: Bounds): SnapshotIntake {
  return new SnapshotIntake({
    limits: mapTable(limits, () => Number.POSITIVE_INFINITY),
    memory,
  })
}

/** Adds a sandbox to the place of what is refused in it. */
function within(name: string | number, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.message, ['sandboxes', name, ...error.path])
  }
}

/** Reads a part that an older file may lack. */
function recordAt(found: unknown, place: string): Readonly<Record<string, unknown>> {
  if (found === undefined) return {}
  if (isRecord(found)) return found
  throw new InputError(`Cannot set ${place}: found ${show(found)}; use an object`, [place])
}
