import type { ControlHost } from '../../src/sandbox/controls/http/handle-control.ts'
import { viewSandbox } from '../../src/sandbox/controls/sandboxes.ts'
import { createExample, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../src/sandbox/sandbox-pool.ts'
import { frozenSandbox } from './frozen-sandbox.ts'

interface ControlHostOptions {
  readonly sandbox?: Sandbox
  readonly pool?: SandboxPool
  readonly origin?: string
  readonly save?: () => void
}

/** What the controls of a process's default sandbox are answered with. */
export function controlHost({
  sandbox = frozenSandbox(),
  pool = new SandboxPool(),
  origin = 'http://sandbox.test',
  save = () => {},
}: ControlHostOptions = {}): ControlHost & { readonly controls: Sandbox } {
  return {
    controls: sandbox,
    origin,
    createExample,
    process: {
      sandboxes: {
        list: () => pool.names().map((name) => viewSandbox(name, origin)),
        create: (settings) => viewSandbox(pool.create(settings).name, origin),
        delete: (name) => pool.delete(name),
      },
      saveState: save,
    },
  }
}
