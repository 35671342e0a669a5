import type { ConsoleClient } from '../live/console-client.ts'
import type { KeyView } from '../live/live-store.ts'

/** Something that one click does to a key. */
interface KeyAction {
  /** The same for what takes its place, so that the focus stays. */
  readonly name: string
  readonly text: string
  /** More than its text says. */
  readonly about: string
  /** What to say when it is done, after the key. */
  readonly done: string
  readonly act: (client: ConsoleClient) => Promise<unknown>
}

type KeyChange = Parameters<ConsoleClient['keys']['change']>[1]

/** What changes how many requests a key has left (spec 8). */
export function quotaActions({ key, limits }: KeyView): readonly KeyAction[] {
  const leave =
    (remaining: KeyChange['remaining']): KeyAction['act'] =>
    ({ keys }) =>
      keys.change(key, { remaining })
  return [
    {
      name: 'minute',
      text: 'Use up minute',
      about: 'No request left in this minute',
      done: 'has used up its minute',
      act: leave({ minute: 0 }),
    },
    {
      name: 'day',
      text: 'Use up day',
      about: 'No request left in this day',
      done: 'has used up its day',
      act: leave({ day: 0 }),
    },
    {
      name: 'one',
      text: 'Leave 1',
      about: 'One request left in this minute',
      done: 'has one request left',
      act: leave({ minute: 1 }),
    },
    {
      name: 'refill',
      text: 'Refill',
      about: 'Both windows as if nothing had been asked',
      done: 'has all its requests again',
      act: leave(limits),
    },
  ]
}

/** What changes whether a key is served, and what takes that back (spec 5, 8). */
export function standingActions({ key, state }: KeyView): readonly KeyAction[] {
  const change =
    (wanted: KeyChange): KeyAction['act'] =>
    ({ keys }) =>
      keys.change(key, wanted)
  const pardon: KeyAction = {
    name: 'pardon',
    text: 'Pardon',
    about: 'End its ban, and forget its refusals',
    done: 'is pardoned',
    act: change({ pardon: true }),
  }
  const ban: KeyAction = {
    name: 'ban',
    text: 'Ban',
    about: 'Ban it for as long as the gap banDuration says',
    done: 'is banned',
    act: (client) => client.scenario('banned', { key }),
  }
  return [
    ban,
    pardon,
    state === 'expired'
      ? {
          name: 'expiry',
          text: 'Renew',
          about: 'Let it never expire',
          done: 'never expires',
          act: change({ expiresAt: null }),
        }
      : {
          name: 'expiry',
          text: 'Expire',
          about: 'Let it expire now',
          done: 'has expired',
          act: (client) => client.scenario('key-expired', { key }),
        },
    state === 'revoked'
      ? {
          name: 'revocation',
          text: 'Reinstate',
          about: 'Take its revocation back',
          done: 'is reinstated',
          act: change({ revoked: false }),
        }
      : {
          name: 'revocation',
          text: 'Revoke',
          about: 'Answer it with 401 from now on',
          done: 'is revoked',
          act: change({ revoked: true }),
        },
  ]
}
