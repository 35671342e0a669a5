/**
 * The ways in which a secret may stand in a text whose escapes are undone: as it is, and as the inner part of base64,
 * where it may begin at three places of a group.
 */
export function spellingsOf(secret: string): string[] {
  // What btoa() takes; keys have no other characters.
  if (/[^\0-\xff]/.test(secret)) return [secret]
  const spellings = [secret]
  for (const before of [0, 1, 2]) {
    // Digits at both ends carry bits of what stands around the secret.
    const start = Math.ceil((before * 4) / 3)
    const end = Math.floor(((before + secret.length) * 4) / 3)
    const base64 = btoa(' '.repeat(before) + secret).slice(start, end)
    spellings.push(base64)
    // Base64 of URLs has other characters for two of its digits.
    if (/[+/]/.test(base64)) spellings.push(base64.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return spellings
}
