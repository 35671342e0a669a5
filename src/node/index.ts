/** The library for Node, where all that answers requests is there from the start. */
import { haveEngine } from '../at-once/have-engine.ts'

export * from '../index.ts'

haveEngine()
