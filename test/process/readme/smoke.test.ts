import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runMain } from '../../kit/run-main.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

describe('the scripts of the guide', () => {
  it.each([
    { language: 'JavaScript', command: [process.execPath, pathOf('smoke.mjs')] },
    { language: 'Python', command: ['python3', pathOf('smoke.py')] },
  ])('end with an error where the service fails, graded alike: $language', async ({ command }) => {
    const words = ['check', '--only', 'outage', '--report', 'json', '--', ...command]
    const { code, stdout } = await runMain(words)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      items: [
        {
          grade: 'review',
          what: 'ends with an error',
          text: expect.stringMatching(
            /^Every request.*503\. Here the script ends with an error: .*503/,
          ),
          checks: ['outage createPet', 'outage listPets'],
        },
      ],
    })
  })

  it('make one call in a process', async () => {
    const command = [process.execPath, pathOf('smoke.mjs'), 'createPet']
    const words = ['check', '--only', 'outage', '--report', 'json', '--', ...command]
    const { stdout } = await runMain(words)
    expect(JSON.parse(stdout).items).toMatchObject([{ checks: ['outage createPet'] }])
  })
})
