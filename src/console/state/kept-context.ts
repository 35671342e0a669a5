import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { KeptFiles } from './kept-files.ts'

const kept = createContext<KeptFiles | undefined>(undefined)

/** Gives the components below the files that the page keeps. */
export const KeptProvider = kept.Provider

/** The files that the page keeps. */
export function useKept(): KeptFiles {
  const found = useContext(kept)
  if (found === undefined) throw new Error('Cannot keep files: put the screen into a KeptProvider')
  return found
}
