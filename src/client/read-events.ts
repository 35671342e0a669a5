import { RemoteError } from './remote-error.ts'

/** Longer than any event of a sandbox, whose bodies have at most 1 MiB. */
const maxEventLength = 2 ** 24

/** A server-sent event. */
export interface ServerSentEvent {
  /** The id after which to go on. */
  readonly id: string | undefined
  /** `message` by default, as browsers call it; `undefined` for one that only sets the id. */
  readonly name: string | undefined
  readonly data: string
}

/**
 * Reads server-sent events, until the stream ends or its connection breaks; comments are left out.
 *
 * @param onBytes Called whenever something arrives.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const bytes = await nextOf(reader)
    if (bytes === undefined) return
    onBytes()
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    if (text.length > maxEventLength) {
      await reader.cancel()
      throw new RemoteError(
        'failed',
        `Cannot read the events: one is longer than ${maxEventLength} characters`,
      )
    }
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined) yield event
    }
  }
}

async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read()
    return value
  } catch {
    // The connection broke, which is the end of the stream.
    return undefined
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
  })
  const valuesOf = (wanted: string): string[] =>
    fields.filter(([name]) => name === wanted).map(([, value]) => value)
  const data = valuesOf('data')
  const id = valuesOf('id').at(-1)
  if (data.length === 0) return id === undefined ? undefined : { id, name: undefined, data: '' }
  return { id, name: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }
}
