import { endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/error.ts'
import type { Operation } from './operation.ts'
import { readQuery } from './read-query.ts'

/** Lists store orders, of which the spec shows nothing but that the operation exists (spec 4.4). */
export const listOrders: Operation = {
  ...endpoints.listOrders,
  availability: ({ storeOrders }) =>
    storeOrders === 'not-found' ? { kind: 'hidden', gap: 'storeOrders' } : { kind: 'here' },
  run({ query, state: { gaps } }) {
    readQuery(query, endpoints.listOrders, gaps)
    if (gaps.storeOrders === 'empty-list') return { status: 200, body: '[]' }
    throw new ApiError(
      'not_implemented',
      'Cannot list store orders: the interface mentions them without showing their shape',
      { gap: 'storeOrders' },
    )
  },
}
