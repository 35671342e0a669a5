import type { Module } from './module.ts'

/** Says what is wrong in all files together. */
type HouseRule = (modules: readonly Module[]) => string[]

/** No file imports itself by way of others, not even for types. */
export const hasNoCircles: HouseRule = (modules) => {
  const importedBy = new Map(
    modules.map(({ path, imports }) => [path, imports.flatMap((one) => one.path ?? [])]),
  )
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      circles.push([...way.slice(way.indexOf(path)), path].join(' imports '))
    } else if (!done.has(path)) {
      for (const next of importedBy.get(path) ?? []) visit(next, [...way, path])
      done.add(path)
    }
  }
  for (const { path } of modules) visit(path, [])
  return circles
}

/** What stands in `adapters/` itself is an entry of the package, and each door has one. */
export function hasDoorsAsEntries(exported: readonly string[]): HouseRule {
  return (modules) =>
    modules
      .flatMap(({ path }) => /^src\/adapters\/([^/]+)\.ts$/.exec(path)?.[1] ?? [])
      .filter((name) => !exported.includes(`./${name}`))
      .map((name) => `src/adapters/${name}.ts is no entry of package.json: put it into parts/`)
}
