import { addTests } from './two-tests.ts'

addTests(10, () => 20)
