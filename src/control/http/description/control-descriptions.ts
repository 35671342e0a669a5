import { controlDocument } from '../control-document.ts'
import { allRoutes, controlRoutes } from '../routes.ts'

// The build evaluates this file: what is served needs no schema to describe itself (decisions/028-what-a-page-loads.md).

/** The controls of a process, which has all that there are, in OpenAPI 3.1. */
export const allControls = controlDocument(allRoutes)

const ofSandbox = controlDocument(controlRoutes)

/** What only a process has, by name. */
export const ofProcessAlone = {
  tags: namesBeyond(tagsOf(allControls), tagsOf(ofSandbox)),
  paths: namesBeyond(Object.keys(allControls.paths), Object.keys(ofSandbox.paths)),
  schemas: namesBeyond(
    Object.keys(allControls.components.schemas),
    Object.keys(ofSandbox.components.schemas),
  ),
}

function tagsOf({ tags }: typeof allControls): string[] {
  return tags.map(({ name }) => name)
}

function namesBeyond(all: readonly string[], some: readonly string[]): string[] {
  return all.filter((name) => !some.includes(name))
}
