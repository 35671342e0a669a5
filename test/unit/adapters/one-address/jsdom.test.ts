// @vitest-environment jsdom
import { testOneAddress } from './test-one-address.ts'

testOneAddress('jsdom')
