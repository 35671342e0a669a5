/** Hands a text to the browser as a file to save. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  // The click has taken what the address stands for.
  URL.revokeObjectURL(link.href)
}

/** The name of a file of JSON that has a title: `Snapshot at 14:03:07` is `snapshot-at-14-03-07.json`. */
export function jsonName(title: string): string {
  if (/\.json$/i.test(title)) return title
  return `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`
}
