import { useState } from 'preact/hooks'
import type { KeyChange } from '../../control/keys.ts'
import type { ScenarioName } from '../../control/scenarios.ts'
import { sunsetAt } from '../app/clock-menu.tsx'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import type { Before, Fault, KeyView } from '../live/live-store.ts'
import { useAction, useAsked } from '../live/use-client.ts'
import { Button } from '../parts/controls/button.tsx'
import { Problem } from '../parts/display.tsx'
import { Faults } from './faults.tsx'
import { Gaps } from './gaps.tsx'

/** Situations to bring about: faults, ready-made ones, and other choices where the interface leaves one. */
export function SituationsScreen() {
  const { file } = useConsole()
  return (
    <div class="stack situations">
      <Faults />
      {file === undefined ? <Scenes /> : null}
      <Gaps />
    </div>
  )
}

/** What a situation is told from: the keys that it is for, and the sandbox. */
interface Scope {
  /** The only key that it is for; `undefined` for all. */
  readonly key: string | undefined
  readonly keys: readonly KeyView[]
  readonly faults: readonly Fault[]
  /** Unix milliseconds on the sandbox's clock. */
  readonly now: number
  readonly sunsetAt: number
}

/** How a situation that can be set up at a click is recognized, and undone. */
interface Scene {
  /** Whether it can be for one key alone. */
  readonly isOfKeys: boolean
  isInForce(scope: Scope): boolean
  /** @param before How things stood when it was set up; `undefined` if that was done elsewhere. */
  undo(client: ConsoleClient, scope: Scope, before: Before | undefined): Promise<unknown>
}

/** A situation of keys; undone for those that weren't in it before. */
function sceneOfKeys(
  isSo: (key: KeyView, now: number) => boolean,
  undone: (key: KeyView, before: KeyView | undefined) => KeyChange,
): Scene {
  return {
    isOfKeys: true,
    isInForce: (scope) => scope.keys.length > 0 && scope.keys.every((key) => isSo(key, scope.now)),
    undo: (client, scope, before) => {
      const changes = scope.keys.flatMap((key) => {
        const was = before?.keys.find((one) => one.key === key.key)
        const isOlder = before !== undefined && was !== undefined && isSo(was, before.now)
        return isOlder || !isSo(key, scope.now) ? [] : client.keys.change(key.key, undone(key, was))
      })
      return Promise.all(changes)
    },
  }
}

/** A situation that is faults; undone by removing these. */
function sceneOfFaults(isOne: (fault: Fault) => boolean): Scene {
  const ownOf = ({ faults, key }: Scope): readonly Fault[] =>
    faults.filter((fault) => isOne(fault) && (fault.key ?? undefined) === key)
  return {
    isOfKeys: true,
    isInForce: (scope) => ownOf(scope).length > 0,
    undo: (client, scope) => Promise.all(ownOf(scope).map(({ id }) => client.faults.remove(id))),
  }
}

/** A situation of the clock; undone by setting it back. */
function sceneOfClock(isInForce: Scene['isInForce']): Scene {
  return {
    isOfKeys: false,
    isInForce,
    undo: (client, _, before) =>
      before === undefined ? client.clock.followSystem() : client.clock.set(before.now),
  }
}

const dayMs = 86_400_000

/** The situations by their scenarios; `rate-limited` is another name for the first. */
const scenes: Readonly<Partial<Record<ScenarioName, Scene>>> = {
  'minute-limit': sceneOfKeys(
    ({ minute }) => minute.remaining === 0,
    ({ minute }, before) => ({ remaining: { minute: before?.minute.remaining ?? minute.limit } }),
  ),
  'day-limit': sceneOfKeys(
    ({ day }) => day.remaining === 0,
    ({ day }, before) => ({ remaining: { day: before?.day.remaining ?? day.limit } }),
  ),
  banned: sceneOfKeys(
    ({ bannedUntil }) => bannedUntil !== undefined,
    () => ({ pardon: true }),
  ),
  'key-expired': sceneOfKeys(
    ({ expiresAt }, now) => expiresAt !== undefined && Date.parse(expiresAt) <= now,
    (_, before) => ({ expiresAt: before?.expiresAt ?? null }),
  ),
  'sunset-tomorrow': sceneOfClock(({ now, sunsetAt }) => now >= sunsetAt - dayMs && now < sunsetAt),
  'sunset-passed': sceneOfClock(({ now, sunsetAt }) => now >= sunsetAt),
  flaky: sceneOfFaults(
    (fault) =>
      (fault.fault === 'status' && fault.probability === 0.2) ||
      (fault.fault === 'disconnect' && fault.probability === 0.05),
  ),
  slow: sceneOfFaults(
    ({ fault, ...settings }) =>
      fault === 'latency' && 'ms' in settings && String(settings.ms) === '1s,3s',
  ),
}

/** Situations as cards, each set up at a click, for all keys or one; what is in force is marked, and can be undone. */
function Scenes() {
  const { store } = useConsole()
  const { run, isBusy } = useAction()
  const [key, setKey] = useState<string | undefined>(undefined)
  const { answer = [], problem } = useAsked((client) => client.scenarios(), [])
  const all = store.keys.value.filter(({ state }) => state !== 'revoked')
  const scope: Scope = {
    key,
    keys: key === undefined ? all : all.filter((one) => one.key === key),
    faults: store.faults.value,
    now: Date.parse(store.status.value?.clock.now ?? ''),
    sunsetAt: sunsetAt(store.gaps.value),
  }
  const setUp = (name: ScenarioName, title: string, isOfKeys: boolean): void => {
    store.before.set(`${name} ${key ?? ''}`, { keys: scope.keys, now: scope.now })
    const options = isOfKeys && key !== undefined ? { key } : {}
    void run((client) => client.scenario(name, options), `Set up: ${title}`)
  }
  return (
    <section class="stack" aria-labelledby="scenes">
      <header class="row">
        <h2 id="scenes" class="title">
          Set up a situation
        </h2>
        <label class="group hint">
          For
          <select
            value={key ?? ''}
            onChange={({ currentTarget }) => setKey(currentTarget.value || undefined)}
          >
            <option value="">all keys</option>
            {store.keys.value.map((one) => (
              <option key={one.key} value={one.key}>
                {one.key}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Problem text={problem} />
      <ul class="columns scenes">
        {answer.map(({ name, title, about }) => {
          const scene = scenes[name]
          if (scene === undefined) return null
          const isInForce = scene.isInForce(scope)
          return (
            <li key={name} class={isInForce ? 'in-force' : ''}>
              <button
                type="button"
                class="box stack scene"
                aria-pressed={isInForce}
                disabled={isBusy}
                onClick={() => setUp(name, title, scene.isOfKeys)}
              >
                <b>{title}</b>
                <span class="hint">{about}</span>
              </button>
              {isInForce ? (
                <Button
                  label={`Undo: ${title}`}
                  onClick={() =>
                    void run(
                      (client) =>
                        scene.undo(client, scope, store.before.get(`${name} ${key ?? ''}`)),
                      `Undone: ${title}`,
                    )
                  }
                >
                  Undo
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
