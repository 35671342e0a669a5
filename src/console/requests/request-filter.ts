import { type EntryFilter, type Kind, kinds } from '../model/filter-entries.ts'

/** The kinds in the order of their chips. */
export const kindNames: readonly Kind[] = ['refused', 'limited', 'faults', 'deprecated', 'findings']

/** Reads from the address which exchanges to show. */
export function filterIn(query: URLSearchParams): EntryFilter {
  const shown = (query.get('show') ?? '').split(',')
  return {
    search: query.get('search') ?? '',
    kinds: kindNames.filter((kind) => kind in kinds && shown.includes(kind)),
    from: instantIn(query.get('from')),
    to: instantIn(query.get('to')),
    key: query.get('key') ?? undefined,
  }
}

function instantIn(text: string | null): string | undefined {
  return text === null || Number.isNaN(Date.parse(text)) ? undefined : text
}

/** Writes for the address which exchanges to show. */
export function queryOf({ search, kinds: shown, from, to, key }: EntryFilter): URLSearchParams {
  const given = { search, show: shown.join(','), from: from ?? '', to: to ?? '', key: key ?? '' }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
}
