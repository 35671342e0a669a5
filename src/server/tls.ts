import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type GivenOf, type NamedSchema, object } from '../mock/input/object.ts'
import { refined, type Schema, ValidationError } from '../mock/input/schema.ts'
import { custom } from '../mock/input/values.ts'

/** Named, since declarations would have `Uint8Array<ArrayBufferLike>`, which TypeScript before 5.7 doesn't know. */
interface PemSchema extends Schema<string | Uint8Array, string | Uint8Array> {}

const pem: PemSchema = custom(
  'the content of a PEM file, as a string or bytes',
  (found): found is string | Uint8Array =>
    (typeof found === 'string' && found !== '') || found instanceof Uint8Array,
)

const pemProperties = {
  /** The certificate in PEM, followed by any intermediate certificates. */
  cert: pem,
  /** Its private key in PEM, without a passphrase. */
  key: pem,
} as const

/** Certificate and private key in PEM. */
export interface TlsFiles extends GivenOf<typeof pemProperties> {}

/** Certificate and private key, checked. */
export interface ReadTlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

const pemFiles: NamedSchema<typeof pemProperties, TlsFiles> = object(pemProperties)

/**
 * Certificate and private key, checked here so that a mistake is reported at startup instead of by failed handshakes.
 */
export const tlsFiles = refined(
  pemFiles,
  (read): ReadTlsFiles => {
    const pems = { cert: Buffer.from(read.cert), key: Buffer.from(read.key) }
    const key = keyIn(pems.key)
    if (!certificateIn(pems.cert).checkPrivateKey(key)) {
      throw new ValidationError('it belongs to another certificate; use the key made with it', [
        'key',
      ])
    }
    // Node 20 would serve one that newer clients reject.
    if ((key.asymmetricKeyDetails?.modulusLength ?? minModulus) < minModulus) throw weakKey()
    expectUsable(pems)
    return pems
  },
  (read) => read,
)

/**
 * Returns an error message if a certificate isn't valid at this time; otherwise `undefined`.
 *
 * @param now Unix milliseconds.
 */
export function expiryProblem(cert: string | Uint8Array, now: number): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert)
  if (Date.parse(validTo) < now) return `it expired on ${dayOf(validTo)}`
  return Date.parse(validFrom) > now ? `it is valid only from ${dayOf(validFrom)}` : undefined
}

function dayOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10)
}

function certificateIn(cert: Buffer): X509Certificate {
  try {
    // Node can read a certificate in DER, but not serve it.
    if (cert.includes('-----BEGIN')) return new X509Certificate(cert)
  } catch {
    // Treated like a missing certificate.
  }
  throw new ValidationError('found no certificate in PEM; use a file such as mkcert writes', [
    'cert',
  ])
}

/**
 * @throws {@link ValidationError} for a certificate that no server can use, such as a chain with a broken certificate.
 */
function expectUsable(pems: { readonly cert: Buffer; readonly key: Buffer }): void {
  // Loaded only here, since most servers have no certificate.
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  try {
    createSecureContext(pems)
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    if (/too small|too weak/.test(message)) throw weakKey()
    throw new ValidationError(
      'found a certificate after the first that cannot be read; use a file such as mkcert writes',
      ['cert'],
    )
  }
}

/** Minimum length of an RSA key in bits. */
const minModulus = 2048

function weakKey(): ValidationError {
  return new ValidationError('its key is too weak for TLS; use one such as mkcert makes', ['cert'])
}

function keyIn(key: Buffer): KeyObject {
  try {
    return createPrivateKey(key)
  } catch {
    throw new ValidationError(
      key.includes('ENCRYPTED')
        ? 'it needs a passphrase; use a key without one'
        : 'found no private key in PEM; use a file such as mkcert writes',
      ['key'],
    )
  }
}
