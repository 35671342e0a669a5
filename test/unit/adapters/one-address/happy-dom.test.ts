// @vitest-environment happy-dom
import { testOneAddress } from './test-one-address.ts'

testOneAddress('happy-dom')
