/** The longest text that is shown in full. */
const maxLength = 60

/** Cuts a long text, such as the name of a pet, and marks the cut. */
export function cut(text: string, length: number = maxLength): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}
