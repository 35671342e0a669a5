import { once } from 'node:events'
import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/sandbox.ts'
import { callControl } from '../../kit/call-control.ts'
import { runCli, serveCli, testFolder } from '../../kit/cli-process.ts'

const petCount = 50_000

const nameLength = 1_000

/** A heap in which the names of the pets find room once, but not a text of them beside, or two. */
const heap = ['--max-old-space-size=96']

/** Writes the state of a process with many pets of long names, about 50 MB. */
async function writeLargeState(file: string): Promise<void> {
  const { pets, ...rest } = createSandbox().snapshot()
  const { list: _, ...beside } = Object(pets)
  const out = createWriteStream(file)
  const begin = JSON.stringify({ ...rest, pets: { ...beside, highestId: petCount } })
  out.write(`${begin.slice(0, -2)},"list":[`)
  for (let id = 1; id <= petCount; id++) {
    const pet = { id, name: `${id} `.padEnd(nameLength, 'x'), categoryId: 1, status: 'sold' }
    if (!out.write(`${id > 1 ? ',' : ''}${JSON.stringify(pet)}`)) await once(out, 'drain')
  }
  out.end(']},"sandboxes":{}}\n')
  await once(out, 'finish')
}

/** How many bytes a document has, read as it comes. */
async function lengthOf(url: string): Promise<number> {
  let bytes = 0
  const { body } = await fetch(url)
  if (body !== null) for await (const chunk of body) bytes += chunk.length
  return bytes
}

describe('a large state in a small heap', () => {
  it('is loaded, fetched, saved and restored', async () => {
    const cwd = testFolder()
    await writeLargeState(join(cwd, 'state.json'))
    const { size } = statSync(join(cwd, 'state.json'))
    const options = { cwd, nodeFlags: heap }
    const { cli, url } = await serveCli(['--state', 'state.json', '--log', 'json'], options)
    expect(await lengthOf(`${url}/_sandbox/snapshot`)).toBeGreaterThan(petCount * nameLength)
    expect(await callControl(url, 'POST', '/save')).toMatchObject({ status: 204 })
    expect(statSync(join(cwd, 'state.json')).size).toBeGreaterThan(size - 1_000)
    const words = ['snapshot', 'save', 'copy.json', '--url', url]
    expect(await runCli(words, { ...options, nodeFlags: ['--max-old-space-size=40'] })).toEqual({
      code: 0,
      stdout: 'Saved to copy.json\n',
      stderr: '',
    })
    // Beside the old state, the new one would need twice the heap.
    await callControl(url, 'DELETE', '/pets')
    expect(
      await runCli(['snapshot', 'restore', 'copy.json', '--url', url], {
        ...options,
        nodeFlags: ['--max-old-space-size=40'],
      }),
    ).toMatchObject({ code: 0, stderr: '' })
    const pet = await callControl(url, 'GET', `/pets/${petCount}`)
    expect(pet).toMatchObject({ status: 200, answer: { id: petCount, status: 'sold' } })
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(join(cwd, 'state.json')).size).toBeGreaterThan(size - 1_000)
  }, 180_000)
})
