import fc from 'fast-check'
import { inject } from 'vitest'
import { draws } from './draws.ts'

// Every property test, and those of a browser; `TEST_SEED=4711 npm test` draws others.
fc.configureGlobal({ seed: inject('testSeed'), numRuns: draws(100) })
