import { createSandbox } from 'petstore-sandbox'
import { expect, test } from 'vitest'

test('faces the client with a full list, and with a key that is refused', async () => {
  const sandbox = createSandbox({ coverage: true })
  const list = (key: string) =>
    sandbox.handle({
      method: 'GET',
      url: '/v1/pets',
      headers: { authorization: `Bearer ${key}` },
      body: '',
    })
  await list('free-key')
  await list('revoked-key')
  const { outcomes } = (await sandbox.coverage()).tiers
  expect(outcomes.met).toBe(2)
  expect(outcomes.cells.find(({ met }) => !met)).toEqual({
    cell: 'listPets 429',
    met: false,
    how: "sandbox.keys.setRemaining('free-key', { minute: 0 }); await client().listPets()",
  })
})
