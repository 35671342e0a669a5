import type { TestProject } from 'vitest/node'
import { findNode, installNode } from '../../scripts/find-node.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Node that servers of tests run on; `undefined` for the process of the tests. */
    readonly serverNode: string | undefined
  }
}

/**
 * Finds the Node of a project such as `server on Node 20`, or installs it.
 *
 * @throws Error when there is none for this machine.
 */
export function setup(project: TestProject): void {
  const major = Number(/\d+$/.exec(project.name)?.[0])
  const { path } = findNode(major) ?? installNode(major)
  project.provide('serverNode', path)
}
