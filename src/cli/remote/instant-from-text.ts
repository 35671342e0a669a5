/**
 * Takes a text of digits for Unix milliseconds, as the control API takes numbers; not one of four that may be a year,
 * from 1970 on.
 */
export function instantFromText(text: string): string | number {
  const mayBeYear = text.length === 4 && Number(text) >= 1970
  return /^\d+$/.test(text) && !mayBeYear ? Number(text) : text
}
