import type { Rolldown } from 'vite'

type Group = Exclude<
  Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups'],
  undefined
>[number]

/**
 * Puts what a page loads at once into one chunk, but for what other pages need without the rest: bundlers would split an
 * entry whose modules are shared with chunks on demand, each with other ones, into files that compress worse than one.
 *
 * @param page Files that a page has at once, with all that they import.
 * @param others The entries of other pages, by name.
 */
export function pageChunks(
  page: readonly string[],
  others: Readonly<Record<string, string>>,
): Group[] {
  let names: ReadonlyMap<string, string> | undefined
  const nameOf = (id: string, host: Host): string | undefined => {
    names ??= namesOf(page, others, host)
    return names.get(id)
  }
  const group = (priority: number, isShared: boolean): Group => ({
    priority,
    name(id, host) {
      const name = nameOf(id, host)
      return name !== undefined && (name !== ownName) === isShared ? name : null
    },
  })
  // What is shared first, since a group takes along what its modules import.
  return [group(2, true), group(1, false)]
}

/** What Rolldown knows of the modules. */
interface Host {
  getModuleInfo(id: string): ModuleInfo | null
}

interface ModuleInfo {
  readonly importedIds: readonly string[]
  readonly isEntry: boolean
}

/** The chunk of what no other page needs. */
const ownName = 'page'

/** Gives the name of its chunk for each module of a page: `page`, and the names of the other pages that it is in. */
function namesOf(
  page: readonly string[],
  others: Readonly<Record<string, string>>,
  host: Host,
): ReadonlyMap<string, string> {
  const modulesOfOthers = Object.entries(others).map(([name, entry]) => ({
    name,
    modules: modulesOf([entry], host),
  }))
  return new Map(
    [...modulesOf(page, host)].map((id) => {
      const sharedWith = modulesOfOthers.filter(({ modules }) => modules.has(id))
      return [id, [ownName, ...sharedWith.map(({ name }) => name)].join('-')]
    }),
  )
}

/** Files and all that they import of the project, by themselves or through others, but for entries. */
function modulesOf(files: readonly string[], host: Host): ReadonlySet<string> {
  const all = new Set(files)
  for (const id of all) {
    for (const next of host.getModuleInfo(id)?.importedIds ?? []) {
      if (!next.includes('node_modules')) all.add(next)
    }
  }
  return new Set([...all].filter((id) => host.getModuleInfo(id)?.isEntry === false))
}
