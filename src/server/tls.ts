import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type GivenOf, type NamedSchema, object } from '../input/object.ts'
import { Refusal, refined } from '../input/schema.ts'
import { anyThat } from '../input/values.ts'

const pem = anyThat(
  'the content of a PEM file, as a string or bytes',
  (found): found is string | Uint8Array =>
    (typeof found === 'string' && found !== '') || found instanceof Uint8Array,
)

const pemProperties = {
  /** The certificate in PEM, followed by those between it and the authority, if any. */
  cert: pem,
  /** Its private key in PEM, without a passphrase. */
  key: pem,
} as const

/** A certificate and its private key in PEM. */
export interface TlsFiles extends GivenOf<typeof pemProperties> {}

const pemFiles: NamedSchema<typeof pemProperties, TlsFiles> = object(pemProperties)

/** A certificate and its private key; they are checked, so that nobody learns of a mistake from a failed handshake. */
export const tlsFiles = refined(
  pemFiles,
  (read) => {
    const pems = { cert: Buffer.from(read.cert), key: Buffer.from(read.key) }
    if (!certificateIn(pems.cert).checkPrivateKey(keyIn(pems.key))) {
      throw new Refusal('it belongs to another certificate; use the key made with it', ['key'])
    }
    return pems
  },
  (read) => read,
)

function certificateIn(cert: Buffer): X509Certificate {
  try {
    return new X509Certificate(cert)
  } catch {
    throw new Refusal('found no certificate in PEM; use a file such as mkcert writes', ['cert'])
  }
}

function keyIn(key: Buffer): KeyObject {
  try {
    return createPrivateKey(key)
  } catch {
    throw new Refusal(
      key.includes('ENCRYPTED')
        ? 'it needs a passphrase; use a key without one'
        : 'found no private key in PEM; use a file such as mkcert writes',
      ['key'],
    )
  }
}
