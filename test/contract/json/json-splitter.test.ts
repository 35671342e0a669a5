import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type JsonPath,
  type JsonTaker,
  splitJson,
} from '../../../src/contract/json/json-splitter.ts'
import { InputError } from '../../../src/input/input-error.ts'

/** Puts a document together again from the parts that it is given in. */
class Assembler implements JsonTaker {
  readonly takings: string[] = []
  readonly #levels: number
  readonly #root: { value?: unknown } = {}

  /** @param levels How deep it opens what it can. */
  constructor(levels: number) {
    this.#levels = levels
  }

  get value(): unknown {
    return this.#root.value
  }

  opens(path: JsonPath, kind: 'object' | 'array'): boolean {
    if (path.length >= this.#levels) return false
    this.#put(path, kind === 'object' ? {} : [])
    return true
  }

  take(path: JsonPath, text: string): void {
    this.takings.push(path.join('.'))
    this.#put(path, JSON.parse(text))
  }

  closes(): void {}

  #put(path: JsonPath, value: unknown): void {
    let parent: object = this.#root
    let name: string | number = 'value'
    for (const place of path) {
      parent = Reflect.get(parent, name)
      name = place
    }
    Object.defineProperty(parent, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
}

/** Cuts bytes into chunks of these lengths, again and again. */
async function* chunksOf(
  bytes: Uint8Array,
  lengths: readonly number[],
): AsyncGenerator<Uint8Array> {
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const end = start + (lengths[index % lengths.length] ?? 1)
    yield bytes.subarray(start, end)
    start = end
  }
}

const encoder = new TextEncoder()

async function assembled(text: string, levels = 3, lengths: readonly number[] = [7]) {
  const taker = new Assembler(levels)
  await splitJson(chunksOf(encoder.encode(text), lengths), taker)
  return taker
}

/** What `JSON.parse` gives, or that it refuses. */
function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return 'refused'
  }
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })

const levels = fc.integer({ min: 0, max: 4 })

describe('splitJson()', () => {
  it('gives every document as it is, however it is cut and however deep it is opened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom(undefined, 1),
        levels,
        lengths,
        async (value, indent, depth, cuts) => {
          const text = JSON.stringify(value, undefined, indent)
          expect((await assembled(text, depth, cuts)).value).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  it('refuses what JSON.parse refuses, and nothing else', async () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\ \n0-1.e"a"',
      'true',
      'nul',
      '"a":',
      '"\\"',
      '[]',
      '{}',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        levels,
        lengths,
        async (pieces, depth, cuts) => {
          const text = pieces.join('')
          const found = await assembled(text, depth, cuts).then(
            ({ value }) => ({ value }),
            (error: unknown) => {
              if (!(error instanceof SyntaxError)) throw error
              return 'refused'
            },
          )
          expect(found, text).toEqual(parsed(text))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([' ', '\t', '\n', '\r\n'])('takes a document laid out with %j', async (blank) => {
    const parts = ['{', '"a"', ':', '[', '1', ',', 'true', ']', ',', '"b"', ':', '{', '}', '}', '']
    const { value } = await assembled(parts.join(blank))
    expect(value).toEqual({ a: [1, true], b: {} })
  })

  it('opens only what it is told to', async () => {
    const text = '{"a":[1,{"b":[2]}],"c":{"d":"}","e":[]},"f":"\\"]"}'
    expect((await assembled(text, 1)).takings).toEqual(['a', 'c', 'f'])
    expect((await assembled(text, 2)).takings).toEqual(['a.0', 'a.1', 'c.d', 'c.e', 'f'])
  })

  it('refuses what is nested too deeply, as soon as it is', async () => {
    const taker = new Assembler(1)
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield encoder.encode('{"a":')
      for (;;) yield encoder.encode('[')
    }
    await expect(splitJson(endless(), taker)).rejects.toThrow(InputError)
  })

  it('refuses a part that is longer than it may be, as soon as it is', async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield encoder.encode('{"a":["b","')
      for (;;) yield encoder.encode('x'.repeat(100))
    }
    await expect(splitJson(endless(), new Assembler(2), 1_000)).rejects.toThrow(
      'Cannot read a.1: it is longer than 1000 characters; use less',
    )
  })

  it('takes a part that is exactly as long as it may be', async () => {
    const text = `["${'x'.repeat(998)}","${'y'.repeat(999)}"]`
    const taken = splitJson(chunksOf(encoder.encode(text), [700]), new Assembler(2), 1_001)
    await expect(taken).resolves.toBeUndefined()
    const refused = splitJson(chunksOf(encoder.encode(text), [700]), new Assembler(2), 1_000)
    await expect(refused).rejects.toThrow('Cannot read 1: it is longer than 1000 characters')
  })

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d])
    await expect(splitJson(chunksOf(bytes, [2]), new Assembler(1))).rejects.toThrow(SyntaxError)
  })
})
