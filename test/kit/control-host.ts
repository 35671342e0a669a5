import type { ControlHost } from '../../src/sandbox/controls/http/handle-control.ts'
import type { SandboxView } from '../../src/sandbox/controls/sandboxes.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
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
    process: {
      sandboxes: {
        list: () => pool.names().map((name) => viewOf(name, origin)),
        create: (settings) => viewOf(pool.create(settings).name, origin),
        delete: (name) => pool.delete(name),
      },
      saveState: save,
    },
  }
}

/** Where a named sandbox is served. */
export function viewOf(name: string, origin: string): SandboxView {
  const root = `${origin}/sandboxes/${name}`
  return { name, baseUrl: `${root}/v1`, controlUrl: `${root}/_sandbox` }
}
