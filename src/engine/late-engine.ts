import { LateModule } from '../input/late-module.ts'

/** The engine, which pages load with their first request; Node has it from the start (decisions/028). */
export const lateEngine: LateModule<typeof import('./engine.ts')> = new LateModule(
  () => import('./engine.ts'),
)
