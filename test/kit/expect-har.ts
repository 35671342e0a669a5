import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { HarDocument } from '../../src/control/har.ts'

const text = { type: 'string' }
const size = { type: 'integer', minimum: -1 }
const all = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const named = { type: 'array', items: all({ name: text, value: text }) }

/** The fields that HAR 1.2 requires (http://www.softwareishard.com/blog/har-12-spec/). */
const harSchema = all({
  log: all({
    version: { const: '1.2' },
    creator: all({ name: text, version: text }),
    entries: {
      type: 'array',
      items: all({
        startedDateTime: {
          type: 'string',
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
        },
        time: { type: 'number', minimum: 0 },
        request: {
          ...all({
            method: text,
            url: text,
            httpVersion: text,
            cookies: { type: 'array' },
            headers: named,
            queryString: named,
            headersSize: size,
            bodySize: size,
          }),
          dependentSchemas: {
            postData: { type: 'object', properties: { postData: all({ mimeType: text, text }) } },
          },
        },
        response: all({
          status: { type: 'integer', minimum: -1, maximum: 599 },
          statusText: text,
          httpVersion: text,
          cookies: { type: 'array' },
          headers: named,
          content: all({ size, mimeType: text, text }),
          redirectURL: text,
          headersSize: size,
          bodySize: size,
        }),
        cache: { type: 'object' },
        timings: all({
          send: { type: 'number', minimum: 0 },
          wait: { type: 'number', minimum: 0 },
          receive: { type: 'number', minimum: 0 },
        }),
      }),
    },
  }),
})

const matches = new Ajv2020({ allErrors: true }).compile(harSchema)

/** Checks a document as a browser's developer tools would. */
export function expectHar(har: HarDocument): void {
  const plain: HarDocument = JSON.parse(JSON.stringify(har))
  expect([matches(plain), matches.errors]).toEqual([true, null])
  for (const { request } of plain.log.entries) {
    expect(URL.canParse((request as { url: string }).url)).toBe(true)
  }
}
