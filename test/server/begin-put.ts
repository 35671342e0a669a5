import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** A document on its way to a control. */
interface BegunPut {
  readonly sent: ClientRequest
  readonly answered: Promise<{ readonly status: number | undefined; readonly text: string }>
}

/** Begins to put a document to a control, such as `/seed`, to be sent bit by bit. */
export function beginPut(url: string, control: string): BegunPut {
  const sent = request(`${url}/_sandbox${control}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
  })
  const answer = async () => {
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of reply) text += chunk
    return { status: reply.statusCode, text }
  }
  return { sent, answered: answer() }
}

/** Sends a bit more of it. */
export function write(sent: ClientRequest, text: string): Promise<void> {
  return new Promise((resolve) => {
    sent.write(text, () => resolve())
  })
}
