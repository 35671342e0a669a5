import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, describe } from 'vitest'
import { testOneAddress } from './test-one-address.ts'

testOneAddress('Node')

describe('by one connection, for which requests of all tests wait', () => {
  const usual = getGlobalDispatcher()
  beforeAll(() => setGlobalDispatcher(new Agent({ connections: 1 })))
  afterAll(() => setGlobalDispatcher(usual))

  testOneAddress('Node')
})
