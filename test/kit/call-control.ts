/** Sends a request to the control API of a process, and gives its status and what its JSON says. */
export async function callControl(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const reply = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, answer: text === '' ? undefined : JSON.parse(text) }
}
