import { expect } from 'vitest'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'
import { idsOf, messageOf } from './replies.ts'
import type { GapRow } from './row.ts'

const petUrl = '/v1/pets/1'

const thirty = Array.from({ length: 30 }, (_, index) => index + 1)

/** The gaps of lists and queries (spec 4.1). */
export const listingRows: readonly GapRow[] = [
  {
    gap: 'listOrder',
    choice: 'id-descending',
    does: 'lists pets from the highest id, new ones first',
    async check(sandbox) {
      await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
      expect(await idsOf(sandbox, 'limit=100')).toEqual([...thirty, 31].reverse())
    },
  },
  {
    gap: 'listOrder',
    choice: 'shuffled',
    does: 'lists all pets in no order that a client could depend on, the same each time',
    async check(sandbox) {
      const ids = await idsOf(sandbox, 'limit=100')
      expect(ids).not.toEqual(thirty)
      expect([...ids].sort((left, right) => left - right)).toEqual(thirty)
      expect(await idsOf(sandbox, 'limit=5')).toEqual(ids.slice(0, 5))
    },
  },
  {
    gap: 'invalidQuery',
    choice: 'reject',
    does: 'refuses a limit or status that is invalid',
    async check(sandbox) {
      expect(await messageOf(sandbox, '/v1/pets?limit=0')).toContain('Cannot use limit')
      expect(await messageOf(sandbox, '/v1/pets?status=dead')).toContain('Cannot use status')
    },
  },
  {
    gap: 'invalidQuery',
    choice: 'ignore',
    does: 'clamps a limit that is out of range, and drops what it cannot read',
    async check(sandbox) {
      expect(await idsOf(sandbox, 'limit=0')).toHaveLength(1)
      expect(await idsOf(sandbox, 'limit=-5')).toHaveLength(1)
      expect(await idsOf(sandbox, 'limit=ten')).toHaveLength(20)
      expect(await idsOf(sandbox, 'limit=')).toHaveLength(20)
      expect(await idsOf(sandbox, 'limit=100&status=dead')).toEqual(thirty)
      await sendMany(sandbox, 80, { key: 'pro-key', json: '{"name":"Rex","categoryId":1}' })
      expect(await idsOf(sandbox, 'limit=101')).toHaveLength(100)
      expect(await idsOf(sandbox, `limit=${'9'.repeat(400)}`)).toHaveLength(100)
    },
  },
  {
    gap: 'repeatedQuery',
    choice: 'reject',
    does: 'refuses a limit or status that is given twice, even if it is the same',
    async check(sandbox) {
      expect(await messageOf(sandbox, '/v1/pets?limit=5&limit=5')).toBe(
        'Cannot use limit: it is given more than once; send it once',
      )
      expect(await messageOf(sandbox, '/v1/pets?status=sold&status=pending')).toBe(
        'Cannot use status: it is given more than once; send it once',
      )
    },
  },
  {
    gap: 'unknownQuery',
    choice: 'reject',
    does: 'refuses query parameters that the operation does not have',
    async check(sandbox) {
      expect(await messageOf(sandbox, '/v1/pets?limit=5&offset=20')).toBe(
        'Cannot use query parameter "offset": it is unknown; use limit, status',
      )
      expect(await messageOf(sandbox, `${petUrl}?limit=5`)).toContain('this operation takes none')
      expect(await messageOf(sandbox, '/v1/store/orders?limit=5')).toContain('"limit"')
      const json = '{"name":"Rex","categoryId":1}'
      const created = await send(sandbox, { url: '/v1/pets?limit=5', json })
      expect(created.status).toBe(400)
    },
  },
]
