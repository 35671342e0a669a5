/** Hands a text to the browser as a file to save. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  // The click has taken what the address stands for.
  URL.revokeObjectURL(link.href)
}

/** The name of a file of a sandbox: `alice-2026-11-23T020218.petstore.json`, of which `petstore.json` is the ending. */
export function fileName(sandbox: string | undefined, at: string, ending: string): string {
  const instant = at.slice(0, 19).replaceAll(':', '')
  return `${sandbox ?? 'default'}-${instant}.${ending}`
}
