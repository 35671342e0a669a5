export type { Int64 } from './contract/int64.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
