import { FaultsPart } from './faults-part.tsx'
import { GapsPart } from './gaps-part.tsx'
import { ScenariosPart } from './scenarios-part.tsx'

/** Situations to bring about: ready-made ones, faults, and other choices where the interface leaves one. */
export function SituationsScreen() {
  return (
    <div class="situations">
      <ScenariosPart />
      <FaultsPart />
      <GapsPart />
    </div>
  )
}
