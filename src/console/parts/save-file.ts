/** Downloads a text as a file. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  // The browser has read the URL during the click.
  URL.revokeObjectURL(link.href)
}

/**
 * Returns the name for a file of a sandbox, such as `alice-2026-11-23T020218.petstore.json` for the ending
 * `petstore.json`.
 */
export function fileName(sandbox: string | undefined, at: string, ending: string): string {
  const instant = at.slice(0, 19).replaceAll(':', '')
  return `${sandbox ?? 'default'}-${instant}.${ending}`
}
