/** How long and how often to try again. */
export interface RetryOptions {
  /** How often a request is sent again; 4 by default. */
  readonly maxRetries?: number
  /** The first wait where the server asks for none, doubled each time; 500 by default. */
  readonly baseMs?: number
  /** The longest wait that a caller is kept for; 2 minutes by default. */
  readonly maxWaitMs?: number
}

export const defaultMaxWaitMs = 120_000

/**
 * Says how long to wait before a request is sent again; `undefined` where the server asks for more than the caller
 * is kept for.
 *
 * A wait that grows, never less than the server asks for, and beyond that some chance, so that clients that were
 * rejected together don't come back together.
 */
export function waitMs(
  attempt: number,
  askedMs: number,
  { baseMs = 500, maxWaitMs = defaultMaxWaitMs }: RetryOptions,
): number | undefined {
  if (askedMs > maxWaitMs) return undefined
  const backoffMs = baseMs * 2 ** attempt
  return Math.min(maxWaitMs, Math.max(askedMs, backoffMs) + Math.random() * backoffMs)
}

/** Reads `Retry-After`, which is seconds or an HTTP date (RFC 9110, 10.2.3); 0 where it is neither. */
export function retryAfterMs(text: string | null): number {
  if (text === null) return 0
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now())
}

/** Waits; not at all where there is nothing to wait for. */
export async function waitFor(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}
