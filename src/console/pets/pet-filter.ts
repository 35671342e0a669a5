import { type Pet, petStatuses } from '../../contract/pet.ts'

/** The statuses to filter by; `none` is that of a pet without one. */
export const statusNames = [...petStatuses, 'none'] as const

export type StatusName = (typeof statusNames)[number]

/** Which pets are shown. */
export interface PetFilter {
  /** A part of the name, or of the id. */
  readonly search: string
  /** Any of these; all if none is given. */
  readonly statuses: readonly StatusName[]
}

/** Reads a filter from the address. */
export function filterIn(query: URLSearchParams): PetFilter {
  const wanted = query.get('status')?.split(',') ?? []
  return {
    search: query.get('search') ?? '',
    statuses: statusNames.filter((name) => wanted.includes(name)),
  }
}

/** Writes a filter as the address has it. */
export function queryOf({ search, statuses }: PetFilter): Record<string, string> {
  return {
    ...(search === '' ? {} : { search }),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
  }
}

/** Gives what tells whether a pet is shown. */
export function petMatcher({ search, statuses }: PetFilter): (pet: Pet) => boolean {
  const words = search.toLowerCase()
  return ({ id, name, status }) =>
    (statuses.length === 0 || statuses.includes(status ?? 'none')) &&
    (words === '' || name.toLowerCase().includes(words) || String(id).includes(words))
}
