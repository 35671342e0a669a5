/** What a raw request is made of; what is left out is a list of pets with a key that has quota enough. */
export interface RawParts {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Header lines after `Host` and `Authorization`, each without its line end. */
  readonly lines?: readonly string[]
  readonly host?: string | null
  readonly key?: string | null
}

/** Writes the head of a request, as it is asked for, right or wrong. */
export function rawHead(parts: RawParts = {}): string {
  const { method = 'GET', target = '/v1/pets?limit=1', version = 'HTTP/1.1' } = parts
  const { host = 'sandbox', key = 'business-key', lines = [] } = parts
  return [
    `${method} ${target} ${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...lines,
    '\r\n',
  ].join('\r\n')
}

/** Writes the head of a POST of JSON. */
export function postHead(...lines: readonly string[]): string {
  return rawHead({
    method: 'POST',
    target: '/v1/pets',
    lines: ['Content-Type: application/json', ...lines],
  })
}

/** Writes a whole POST of a body. */
export function rawPost(body: string | Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(postHead(`Content-Length: ${Buffer.byteLength(body)}`)),
    Buffer.from(body),
  ])
}
