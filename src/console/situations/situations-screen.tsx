import { useConsole } from '../live/console-context.ts'
import { FaultsPart } from './faults-part.tsx'
import { GapsPart } from './gaps-part.tsx'
import { ScenariosPart } from './scenarios-part.tsx'

/** Situations to bring about: ready-made ones, faults, and other choices where the interface leaves one. */
export function SituationsScreen() {
  const { file } = useConsole()
  return (
    <div class="situations">
      {file === undefined ? <ScenariosPart /> : null}
      <FaultsPart />
      <GapsPart />
    </div>
  )
}
