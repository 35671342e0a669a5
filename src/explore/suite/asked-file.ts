import { list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import type { Read } from '../../input/schema.ts'
import { flag, string, whole } from '../../input/values.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/** What the fixtures of a test runner tell of the sandbox of one test, for `explore`. */
export const askedFile = object(
  {
    test: string,
    requests: count,
    /** The choices that would have changed a reply, such as `banStatus=403`; none if that isn't known. */
    mattering: optional(list(string)),
    waits: object({ longestMs: count, openMs: count, areKept: flag }),
  },
  { title: 'asked', example: '{ "test": "", "requests": 0, "waits": {} }' },
)

export type AskedFile = Read<typeof askedFile>
