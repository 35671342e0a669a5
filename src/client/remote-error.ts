/** Why a sandbox could not be controlled, where it is none of the refusals that it gives in process too. */
export type RemoteReason =
  /** Nothing answers there, or the connection broke. */
  | 'unreachable'
  /** What answers is no petstore-sandbox. */
  | 'not-a-sandbox'
  /** The control token is missing or wrong. */
  | 'token'
  /** The request comes from a page of another site, or is for another host. */
  | 'forbidden'
  /** The sandbox could not do it, such as write a file. */
  | 'failed'
  /** Events are missing that came while the connection was lost. */
  | 'events-lost'

/** A failure on the way to a sandbox, or at it. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly reason: RemoteReason

  constructor(reason: RemoteReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** What answers at an address is no sandbox. */
export function notASandbox(address: string): RemoteError {
  return new RemoteError(
    'not-a-sandbox',
    `Cannot use ${address}: what answers there is not petstore-sandbox`,
  )
}

/** A request had no answer. */
export function unreachable(address: string, cause: unknown): RemoteError {
  return new RemoteError('unreachable', `Cannot reach ${address}: ${whyUnreachable(cause)}`)
}

/** Whether a call was given up because its time was over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** Why a request had no answer, in words; Node keeps that in the cause of the error. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (isTimeout(error)) return 'it did not answer in time'
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  // What fetch says of a port that it asks nothing of, such as 1 or 6000.
  if (cause.message === 'bad port') return 'fetch blocks this port; use another one'
  return causes[code] ?? (cause.message === '' ? code : cause.message)
}
