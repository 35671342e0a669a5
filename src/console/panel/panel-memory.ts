/** State of the panel that survives reloads. */
interface Kept {
  open?: boolean
  corner?: string
  /** Link of the place it showed. */
  link?: string
}

const storageKey = 'petstore-panel'

/** Reads the remembered state; empty if the page has no storage. */
export function readKept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

/** Remembers changes across reloads, and returns the whole state. */
export function keep(changes: Kept): Kept {
  const kept = { ...readKept(), ...changes }
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Without storage, the change lasts only until a reload.
  }
  return kept
}

export type PanelMemory = (changes: Kept) => Kept
