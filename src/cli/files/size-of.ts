import { statSync } from 'node:fs'

/** How many bytes a file has; 0 where that can't be told: who opens it says why. */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
