const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The value of each digit by its code, those of base64 for URLs too. */
const values: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const value = digits.indexOf(String.fromCharCode(code).replace('-', '+').replace('_', '/'))
  return value < 0 ? undefined : value
})

/** Where in a group of three bytes a secret may begin, as how many bits its first digit that is no other's leaves out. */
const leftOut = [0, 4, 2] as const

/**
 * The ways in which a secret may stand in a text whose escapes are undone: as it is, and as the inner part of base64,
 * where it may begin at three places of a group.
 */
export function spellingsOf(secret: string): string[] {
  const spellings = [secret]
  if (!hasBytes(secret)) return spellings
  for (const bits of leftOut) {
    const base64 = innerBase64(secret, bits)
    spellings.push(base64)
    // Base64 of URLs has other characters for two of its digits.
    if (/[+/]/.test(base64)) spellings.push(base64.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return spellings
}

/** Those digits in which all bits are the secret's: at both ends, digits carry bits of what stands there. */
function innerBase64(secret: string, without: number): string {
  let base64 = ''
  let held = 0
  let bits = -without
  for (let index = 0; index < secret.length; index++) {
    held = ((held << 8) | secret.charCodeAt(index)) & 0xffff
    for (bits += 8; bits >= 6; ) {
      bits -= 6
      base64 += digits.charAt((held >>> bits) & 0x3f)
    }
  }
  return base64
}

/** The numbers of the ways in which a secret is written in base64. */
export function numbersOf(secret: string): number[] {
  if (!hasBytes(secret)) return []
  return [numberWithout(secret, 0), numberWithout(secret, 4), numberWithout(secret, 2)]
}

/** The number of a secret's digits, without writing them: thousands of keys may come at once. */
function numberWithout(secret: string, without: number): number {
  let number = 0
  let held = 0
  let bits = -without
  for (let index = 0; index < secret.length; index++) {
    held = ((held << 8) | secret.charCodeAt(index)) & 0xffff
    for (bits += 8; bits >= 6; ) {
      bits -= 6
      number = withDigit(number, (held >>> bits) & 0x3f)
    }
  }
  return number
}

/** The number of a text in base64, which others may have, too; -1 for any other text. */
export function numberOf(base64: string): number {
  let number = 0
  for (let index = 0; index < base64.length; index++) {
    const value = values[base64.charCodeAt(index)]
    if (value === undefined) return -1
    number = withDigit(number, value)
  }
  return number
}

function withDigit(number: number, value: number): number {
  return (Math.imul(number, 67) + value + 1) & 0x3fffffff
}

/** Whether each character is a byte, as those of keys are: base64 has digits for nothing else. */
function hasBytes(secret: string): boolean {
  for (let index = 0; index < secret.length; index++) {
    if (secret.charCodeAt(index) > 0xff) return false
  }
  return true
}
