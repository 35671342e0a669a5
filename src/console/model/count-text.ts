/** Says how many there are of something: `1 request`, `2 requests`. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
