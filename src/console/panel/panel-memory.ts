/** What the panel remembers over reloads. */
interface Kept {
  open?: boolean
  corner?: string
  /** The link that it showed. */
  link?: string
  dock?: 'float' | 'right' | 'bottom'
  width?: number
  height?: number
}

const storageKey = 'petstore-panel'

/** Reads what the panel remembers; nothing where the page has no storage. */
export function readKept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

/** Remembers something over reloads. */
export function keep(changes: Kept): Kept {
  const kept = { ...readKept(), ...changes }
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Then it remembers nothing.
  }
  return kept
}

export type PanelMemory = (changes: Kept) => Kept
