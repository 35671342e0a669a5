import { ApiError, invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { maxBodyBytes } from '../contract/http/read-request.ts'
import { parseJson } from '../contract/json/json.ts'
import { hasManyProperties, isTooDeep } from '../contract/json/json-bounds.ts'
import { type ApiRequest, utf8Length } from '../contract/message.ts'
import { show } from '../input/show.ts'

const jsonType = /^application\/json[ \t]*(?:;|$)/i

/** The only parameter that would change how the bytes are read; JSON defines none (RFC 8259, 11). */
const otherCharset = /;[ \t]*charset[ \t]*=(?![ \t]*"?utf-8"?[ \t]*(?:;|$))/i

/** Far deeper than anything that is read, and no deeper than is parsed quickly. */
const maxDepth = 20_000

/** Far more than any body means, and no more than are parsed quickly. */
const maxProperties = 20_000

/**
 * Reads a request body: JSON in UTF-8, at most 1 MiB, with the right `Content-Type` (spec 1).
 *
 * @param expected What the operation takes, for refusals.
 * @throws {@link ApiError} `payload_too_large`
 * @throws {@link ApiError} `invalid_request` for another type, for text that isn't JSON, and for what is nested very
 * deep or has very many properties.
 */
export function readJsonBody(
  { headers, body, bodyBytes }: ApiRequest,
  gaps: GapChoices,
  expected: string,
): unknown {
  refuseLarge(body, bodyBytes)
  refuseOtherTypes(headers['content-type'], gaps)
  refuseEncoded(headers['content-encoding'])
  if (body === '') {
    throw invalidRequest(`Cannot read the body: it is empty; send ${expected}`)
  }
  if (!body.isWellFormed()) {
    throw invalidRequest('Cannot read the body: it is not valid UTF-8; send JSON in UTF-8')
  }
  if (isTooDeep(body, maxDepth)) {
    throw invalidRequest(
      `Cannot read the body: it is nested more than ${maxDepth} levels deep; send ${expected}`,
    )
  }
  if (hasManyProperties(body, maxProperties)) {
    throw invalidRequest(
      `Cannot read the body: it has more than ${maxProperties} properties; send ${expected}`,
    )
  }
  try {
    return parseJson(body)
  } catch (error) {
    // JSON nested deeper than the stack throws a RangeError.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw invalidRequest(
      `Cannot read the body: found ${show(body)}, which is not valid JSON; send ${expected}`,
    )
  }
}

function refuseLarge(body: string, bodyBytes = 0): void {
  const isSmall = body.length * 3 <= maxBodyBytes || utf8Length(body) <= maxBodyBytes
  if (isSmall && bodyBytes <= maxBodyBytes) return
  throw new ApiError(
    'payload_too_large',
    `Cannot read the body: it is larger than ${maxBodyBytes} bytes; send less`,
  )
}

function refuseEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw invalidRequest(
    `Cannot use Content-Encoding: found ${show(encoding)}; send the body unencoded`,
  )
}

function refuseOtherTypes(contentType: string | undefined, gaps: GapChoices): void {
  const isFine =
    contentType === undefined
      ? gaps.missingContentType === 'accept'
      : jsonType.test(contentType) && !otherCharset.test(contentType)
  if (isFine) return
  const found = contentType === undefined ? 'it is missing' : `found ${show(contentType)}`
  throw invalidRequest(
    `Cannot use Content-Type: ${found}; send application/json`,
    contentType === undefined ? 'missingContentType' : undefined,
  )
}
