export { corsLines, isPreflight, preflightLines } from '../contract/cors.ts'
