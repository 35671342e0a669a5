import type { earlierRequests } from '../../control/reports/capture-file.ts'
import { formatInstant, instant } from '../../input/instant.ts'
import type { Given } from '../../input/schema.ts'

/** Says that what is known of a sandbox doesn't reach back to its beginning. */
export function earlierText({ exchanges, until }: Given<typeof earlierRequests>): string {
  const requests = exchanges === 1 ? '1 request' : `${exchanges} requests`
  return `Forgotten: ${requests} before ${formatInstant(instant.read(until))}; this begins with what the sandbox held then`
}
