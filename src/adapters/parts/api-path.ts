import { type Schema, written } from '../../input/schema.ts'
import { pathPattern, readPath } from './base-url.ts'

/** The path that stands for `/v1`, read without a trailing slash. */
export const apiPath: Schema<string> = written<string, string>(
  {
    use: 'a path such as /v1 or /api/v1',
    jsonSchema: { type: 'string', pattern: pathPattern.source },
    read: readPath,
  },
  (path) => path || '/',
)
