import { endpoints, type OperationName } from '../contract/endpoints.ts'

/** Writes a duration as people say it: `0.2 s`, `41 s`, `5 min`, `2 h`, `3 days`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${Number(seconds.toFixed(seconds < 1 ? 2 : 1))} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${countText(Math.round(seconds / 86_400))} days`
}

/** Writes a whole number with commas; by hand, since the first use of a locale takes milliseconds. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Writes what a request asked for, such as `GET /pets/{petId}`, or `GET /v1/cats` where there is no such operation. */
export function requestText({
  operation,
  method,
  url,
}: {
  readonly operation: OperationName | undefined
  readonly method: string
  readonly url: string
}): string {
  // Of a request that is no HTTP, nothing is known.
  if (method === '') return 'an unreadable request'
  if (operation === undefined) return `${method} ${url.slice(0, 80)}`
  return `${endpoints[operation].method} ${endpoints[operation].path}`
}
