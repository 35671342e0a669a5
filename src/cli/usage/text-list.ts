import type { Schema } from '../../input/schema.ts'

/** Several of something: an array, or a text with commas. */
export function textList<Item extends string>(
  item: Schema<Item>,
): Schema<string | readonly string[], Item[]> {
  return {
    use: item.use,
    describe: () => ({ type: 'array', items: item.describe() }),
    read: (found) => [found].flat().flatMap(splitText).map(item.read),
    write: (read) => read,
  }
}

/** Takes a text with commas apart; anything else stays as it is, to be refused. */
export function splitText(found: unknown): unknown[] {
  return typeof found === 'string' ? found.split(',') : [found]
}
