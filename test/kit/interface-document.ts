/** The interface in our own words. */
export const interfaceFile = new URL('../../docs/reference/api.md', import.meta.url)

/** A clause of the interface: a section of the document whose heading has a number. */
interface Clause {
  /** Such as `4.3`. */
  readonly number: string
  /** What a link to it ends in, such as `43-get-a-pet`. */
  readonly anchor: string
  readonly text: string
  /** Those of its points that are numbered, such as `8.2`. */
  readonly points: readonly string[]
}

/** Finds the clauses in the text of the document. */
export function clausesIn(document: string): Clause[] {
  return document.split(/^(?=## |### \d)/m).flatMap((text) => {
    const [, heading = '', number] = /^#+ ((\d(?:\.\d)?)\.? .*)$/m.exec(text) ?? []
    if (number === undefined) return []
    const points = [...text.matchAll(/^(\d)\. /gm)].map(([, point]) => `${number}.${point}`)
    return [{ number, anchor: anchorOf(heading), text, points }]
  })
}

/** The anchors of all headings in the text of a document. */
export function anchorsIn(document: string): string[] {
  return [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** What a link to a heading ends in, as GitHub makes it. */
export function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{Letter}\p{Number} _-]/gu, '')
  return plain.replaceAll(' ', '-')
}
