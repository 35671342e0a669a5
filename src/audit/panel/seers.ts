import { mapTable } from '../../input/record.ts'
import { isFailure, isLost, isOutage, type KeptTries } from '../retrying/failures.ts'
import type { Rule } from '../rule.ts'
import { type RuleName, ruleNames, rules } from '../rules.ts'
import { pollMs, type Seen, waitedMs } from '../seen.ts'
import type { Company } from './company.ts'
import type { Heard } from './heard.ts'
import { type Trait, traits } from './traits.ts'

// Rules are bits here, so that an exchange is shown to few of them without a list being made; there is room for 31.

const table: Readonly<Record<RuleName, Rule>> = rules

/** The rules in the order in which they see an exchange: those that look back at trouble come first. */
export const ruleOrder: readonly RuleName[] = [
  ...ruleNames.filter(looksBack),
  ...ruleNames.filter((rule) => !looksBack(rule)),
]

/** Adds up the rules that a function chooses. */
function rulesThat(choose: (rule: RuleName) => boolean): number {
  return ruleOrder.reduce((sum, rule, place) => (choose(rule) ? sum | (1 << place) : sum), 0)
}

/** The rules that see what has a trait. */
const seers: Readonly<Record<Trait, number>> = mapTable(traits, (trait) =>
  rulesThat((rule) => table[rule].sees?.includes(trait) ?? false),
)

/** All rules. */
export const everyRule: number = rulesThat(() => true)

/** The rules for which a client must have known an earlier answer. */
export const rulesOfKnowledge: number = rulesThat((rule) => table[rule].needsKnowledge)

/** The rules that see all. */
const seersOfAll = rulesThat((rule) => table[rule].sees === undefined)

/** The rules that look at what is new of what a client says. */
export const readers: number =
  seers['new words'] |
  seers['newly served'] |
  seers['new get'] |
  seers['new list'] |
  seers['again after a pause']

/** Adds up the rules that see what is new of what a client says, or what it says again. */
export function seersOfNews(seen: Seen, heard: Heard): number {
  const { isNew, isNewlyServed, isNewList, mayBePoll, previous } = heard
  let found = 0
  if (isNew) found |= seers['new words']
  if (isNewlyServed) found |= seers['newly served']
  if (isNewList) found |= seers['new list']
  if ((isNew || isNewlyServed) && seen.operation === 'getPet') found |= seers['new get']
  if (mayBePoll && previous !== undefined && waitedMs(previous, seen) >= pollMs) {
    found |= seers['again after a pause']
  }
  return found
}

/** What an origin has lived through. */
interface Past {
  readonly isParallel: boolean
  readonly wasRefused: boolean
  readonly list: Seen | undefined
  readonly hasLost: boolean
  triesBefore(seen: Seen): KeptTries | undefined
}

/** Where an id of 16 digits ends at least. */
const longPath = '/v1/pets/'.length + 16

/** Adds up the rules that an exchange may matter to, but for what is new of it. */
export function seersOf(seen: Seen, url: string, past: Past, { hasRefused }: Company): number {
  const { visit } = seen
  let found = seersOfAll
  if (seen.code !== undefined) found |= seers.refused
  if (seen.retryAt !== undefined) found |= seers['told to wait']
  if (seen.quota.remaining === 0) found |= seers.spent
  if (visit.connection !== undefined) found |= seers.connected
  if (visit.door === 'process' || visit.door === 'express') found |= seers['over HTTP']
  const hasRoom = url.length >= longPath && url.charCodeAt(8) === slash
  if (hasRoom || typeof seen.petId === 'bigint') found |= seers['long id']
  if (past.list !== undefined && seen.operation === 'getPet') found |= seers['get after list']
  if (past.isParallel) found |= seers.parallel
  if (past.wasRefused) found |= seers['after refusal']
  if (past.hasLost) found |= seers['after loss']
  if (hasRefused) found |= seers['after any refusal']
  const hasFailed = isFailure(seen)
  if (hasFailed && isLost(seen)) found |= seers.lost
  const tries = past.triesBefore(seen)
  if (tries === undefined) return found
  if (isOutage(tries.latest)) found |= seers['after outage']
  return hasFailed && isThirdAlike(tries, seen) ? found | seers['third alike'] : found
}

function isThirdAlike({ list }: KeptTries, { arrivedStatus: status }: Seen): boolean {
  const [third, second, first] = [list.at(-1), list.at(-2), list.at(-3)]
  return (
    status !== undefined &&
    third?.arrivedStatus === status &&
    second?.arrivedStatus === status &&
    first?.arrivedStatus !== status
  )
}

const slash = 0x2f

/** Whether a rule sees only what comes after trouble. */
function looksBack(rule: RuleName): boolean {
  return table[rule].sees?.every((trait) => trait.startsWith('after ')) ?? false
}
