import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import fixture from '../../../../fixtures/captures/version-1.petstore.json' with { type: 'json' }
import later from '../../../../fixtures/captures/version-1-later.petstore.json' with {
  type: 'json',
}
import manifest from '../../../../package.json' with { type: 'json' }
import { toJson } from '../../../../src/mock/api/json.ts'
import { captureSchema, captureSchemaUrl } from '../../../../src/sandbox/controls/captures.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
formats.default(ajv)
const matches = ajv.compile(captureSchema())

describe('captureSchema()', () => {
  it('says what it is, in which language, and where it is', () => {
    expect(captureSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: captureSchemaUrl,
      title: 'A capture of petstore-sandbox',
      description: expect.stringMatching(/^How a sandbox began, and everything that was done/),
      $ref: '#/$defs/Capture',
    })
  })

  it('takes a capture of an earlier version, and one of this', async () => {
    for (const earlier of [fixture, later]) {
      expect([matches(earlier), matches.errors]).toEqual([true, null])
    }
    const sandbox = frozenSandbox()
    sandbox.pets.create({ id: 2n ** 60n, name: 'Ada', categoryId: -1 })
    sandbox.restore(sandbox.snapshot())
    await send(sandbox)
    const capture = JSON.parse(toJson(await sandbox.capture()))
    expect([matches(capture), matches.errors]).toEqual([true, null])
    expect(capture.$schema).toBe(captureSchemaUrl)
    const place = manifest.exports['./capture.schema.json'].replace('.', manifest.name)
    expect(captureSchemaUrl).toBe(`https://unpkg.com/${place}`)
  })

  it.each([
    { ...fixture, petstoreCapture: 2 },
    { ...fixture, options: { gaps: { banAfter: 'sometimes' } } },
    { ...fixture, steps: [{ do: 'control', name: 'reset', given: [] }] },
    { ...fixture, more: 1 },
    { ...later, dropped: { requests: -1, before: '2030-12-05T00:00:00Z' } },
  ])('rejects what no sandbox writes (%#)', (capture) => {
    expect(matches(capture)).toBe(false)
  })
})
