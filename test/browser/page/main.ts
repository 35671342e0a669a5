import { startWorker } from '../../../src/adapters/msw-worker.ts'
import { createSandbox } from '../../../src/index.ts'

// For the functions that a test runs in the page.
Object.assign(globalThis, { createSandbox, startWorker })
