import { hoisted } from '../../input/hoisted.ts'
import { isRecord } from '../../input/record.ts'
import type { JsonSchema } from '../../input/schema.ts'
import { captureFile, captureSchemaUrl } from './capture-file.ts'

/** The JSON Schema of captures, which the build writes to a file of the package. */
export const captureSchema: JsonSchema = describeCapture()

function describeCapture(): JsonSchema {
  const { document, schemas } = hoisted(captureFile.describe(), '#/$defs/')
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: captureSchemaUrl,
    title: 'A capture of petstore-sandbox',
    description:
      'How a sandbox began, and everything that was done to it. Integers beyond 2^53 are written digit for digit.',
    ...(isRecord(document) ? document : {}),
    $defs: schemas,
  }
}
