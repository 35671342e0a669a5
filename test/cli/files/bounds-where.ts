import { type Bounds, usualBounds } from '../../../src/state/memory/memory.ts'

/** Bounds where something is done as soon as what is read has keys. */
export function boundsWhere(act: () => void): Bounds {
  const { limits, memory } = usualBounds()
  return {
    limits,
    memory: {
      ...memory,
      get held() {
        act()
        return memory.held
      },
    },
  }
}
