import { ApiError } from '../contract/error.ts'
import type { GapName } from '../contract/gaps.ts'
import type { ApiKey } from '../state/keys.ts'
import type { State } from '../state/state.ts'

/** Who sends a request: the holder of a valid key, or a stranger with the refusal that is due. */
export type Caller =
  | { readonly kind: 'key'; readonly token: string; readonly key: ApiKey }
  | { readonly kind: 'stranger'; readonly token: string; readonly refusal: ApiError }

const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

const usualScheme = 'Bearer '

/** The longest text that a key can have. */
const maxKeyLength = 200

/** Finds out who sends a request, by its `Authorization` (spec 5). */
export function authenticate(
  authorization: string | undefined,
  { keys, gaps }: State,
  now: number,
): Caller {
  const usual = authorization?.startsWith(usualScheme)
    ? authorization.slice(usualScheme.length)
    : undefined
  const known = usual === undefined ? undefined : keys.find(usual)
  // Keys contain only characters of tokens, so the header needs no further parsing.
  const token = known?.key ?? bearerPattern.exec(authorization ?? '')?.[1]
  if (token === undefined) {
    const found =
      authorization === undefined
        ? 'there is no Authorization header'
        : 'the Authorization header is not a single bearer token'
    return stranger('', found, 'Bearer realm="petstore"')
  }
  if (usual === undefined && gaps.bearerScheme === 'exact') {
    return stranger(
      token,
      'the scheme is not written Bearer',
      'Bearer realm="petstore"',
      'bearerScheme',
    )
  }
  const key = known ?? keys.find(token)
  const problem = key === undefined ? 'is unknown' : problemOf(key, now)
  if (key !== undefined && problem === undefined) return { kind: 'key', token, key }
  return stranger(token, `the API key ${problem}`, 'Bearer realm="petstore", error="invalid_token"')
}

/** What makes a key invalid now; `undefined` for nothing. */
function problemOf(key: ApiKey, now: number): string | undefined {
  if (key.isRevoked) return 'is revoked'
  return key.expiresAt !== undefined && now >= key.expiresAt ? 'has expired' : undefined
}

function stranger(token: string, found: string, challenge: string, gap?: GapName): Caller {
  const message = `Cannot authenticate: ${found}; send Authorization: Bearer <API_KEY>`
  const refusal = new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': challenge },
    gap,
  })
  return { kind: 'stranger', token: token.slice(0, maxKeyLength), refusal }
}
