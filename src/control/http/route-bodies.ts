import { oneOrMany } from '../../input/collections.ts'
import { type ObjectSchema, object } from '../../input/object.ts'
import { described, readInput, type Schema } from '../../input/schema.ts'
import { anyThat, whole } from '../../input/values.ts'

/** The largest document: a seed, a snapshot, a capture, an archive; in bytes. */
export const maxDocumentBytes = 67_108_864

/** Writes a bound that is a number of MiB. */
export function bytesText(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`
}

/** No parameters. */
export const none: ObjectSchema<Record<never, never>> = object({})

/** The number of something, as a path has it: digits alone, so that nothing has two addresses. */
export function idInPath(about: string): Schema<number> {
  const fromText = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)
  return { ...described(about, whole(0, 1e15)), fromText }
}

/** No body, or no reply's; who sends one is refused before it would be read. */
export const nothing: Schema<undefined> = {
  use: 'no body',
  describe: () => ({}),
  read: () => undefined,
  write: () => undefined,
}

/** A body that may be left out. */
interface OptionalBody<Body, BodyRead> extends Schema<Body | undefined, BodyRead | undefined> {
  readonly isOptional: true
}

/** What a schema takes, or nothing. */
export function orNothing<Body, BodyRead>(
  schema: Schema<Body, BodyRead>,
): OptionalBody<Body, BodyRead> {
  return {
    ...schema,
    read: (found) => (found === undefined ? undefined : schema.read(found)),
    write: (read) => (read === undefined ? undefined : schema.write(read)),
    isOptional: true,
  }
}

/**
 * One of something, or an array of them, called in a refusal as the typed control calls it.
 *
 * @param names What one is called, and what several are.
 */
export function oneOrSeveral<Given, Read>(
  item: Schema<Given, Read>,
  names: readonly [one: string, several: string],
): Schema<Given | readonly Given[], Read | Read[]> {
  const schema = oneOrMany(item)
  const [one, several] = names
  const read = (found: unknown): Read | Read[] =>
    readInput(schema, found, Array.isArray(found) ? several : one)
  return { ...schema, read }
}

/** Server-sent events. */
interface EventStream extends Schema<AsyncIterable<string>> {
  readonly mediaType: 'text/event-stream'
}

/** Server-sent events, by their names; each schema describes the data, which is JSON. */
export function eventStream(
  events: Readonly<Record<string, Schema<unknown, unknown>>>,
): EventStream {
  const schemas = [...new Set(Object.values(events))]
  return {
    ...anyThat<AsyncIterable<string>>('a stream', isStream),
    describe: () => ({ anyOf: schemas.map((schema) => schema.describe()) }),
    mediaType: 'text/event-stream',
  }
}

/** The media type of what a schema describes. */
export function mediaTypeOf(schema: Schema<unknown, unknown>) {
  return 'mediaType' in schema ? 'text/event-stream' : 'application/json'
}

/** Narrows to what is sent piece by piece. */
export function isStream(found: unknown): found is AsyncIterable<string> {
  return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
}
