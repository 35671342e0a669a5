import { useConsole } from '../live/console-context.ts'
import { Faults } from './faults.tsx'
import { Gaps } from './gaps.tsx'
import { Scenes } from './scenes.tsx'

/** Situations to bring about: faults, ready-made ones, and other choices where the interface leaves one. */
export function SituationsScreen() {
  const { file } = useConsole()
  return (
    <div class="stack situations">
      <Faults />
      {file === undefined ? <Scenes /> : null}
      <Gaps />
    </div>
  )
}
