import { endpoints } from '../../api/endpoints.ts'
import { ApiError } from '../../api/error.ts'
import { type Operation, readQuery } from './operation.ts'

const endpoint = endpoints.listOrders

/** Lists store orders, which the spec only mentions (spec 4.4). */
export const listOrders: Operation<'listOrders'> = {
  ...endpoint,
  absence: ({ storeOrders }) =>
    storeOrders === 'not-found' ? { kind: 'hidden', gap: 'storeOrders' } : undefined,
  run({ query, state: { gaps } }) {
    readQuery(query, endpoint, gaps)
    if (gaps.storeOrders === 'empty-list') return { status: 200, body: '[]' }
    throw new ApiError(
      'not_implemented',
      'Cannot list store orders: the spec mentions them without showing their shape',
      { gap: 'storeOrders' },
    )
  },
}
