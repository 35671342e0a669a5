/** What answers requests, and says how they are refused, as one module: a page loads it with its first request. */
export { refusalUnder } from './decide.ts'
export { handle } from './handle.ts'
