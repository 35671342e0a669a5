/** Writes the head of a request. */
export function headOf(
  method: string,
  target: string,
  lines: readonly string[] = ['Authorization: Bearer free-key'],
): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
}
