import type { BenchRequest } from './send.ts'

const authorization = { Authorization: 'Bearer enterprise-key' }

/** Lists a page of 20 (spec 4.1). */
export const listPets: BenchRequest = {
  method: 'GET',
  url: '/v1/pets?limit=20',
  headers: authorization,
  body: '',
}

/** Adds a pet (spec 4.2). */
export const createPet: BenchRequest = {
  method: 'POST',
  url: '/v1/pets',
  headers: { ...authorization, 'Content-Type': 'application/json' },
  body: '{"name":"Rex","categoryId":1,"status":"available"}',
}
